import { readMessages, TrimtabError } from 'trimtab'
import { init } from 'trimtab/slim'
import { reasonOf } from '../agent/reason.js'
import type { ReadSession } from '../agent/recorded-requests.js'
import { account, rest } from './accounting.js'
import { ahead, compact, decide, endTurn, next, recall } from './deciding.js'
import { handOver, open } from './opening.js'
import type { Asked, KeptConversation, LoadedConversation, Told, Work } from './protocol.js'

/** The messages of one session: each session has its own worker. */
let messages: object[] = []
let opened: ReadSession | null = null

const tell = (told: Told) => postMessage(told)

let loadedKeeping: Promise<typeof import('./keeping.js')> | null = null

/**
 * Loads the module that saves and loads conversations. Once: of two imports that wait, the later one may end first, and
 * the saves that wait for them would be made in the wrong order.
 */
function keeping(): Promise<typeof import('./keeping.js')> {
  loadedKeeping ??= import('./keeping.js').catch((error: unknown) => {
    loadedKeeping = null
    throw error
  })
  return loadedKeeping
}

const { promise: coreStarted, resolve: startCore } = Promise.withResolvers<void>()

async function answer(asked: Exclude<Asked, { kind: 'core' }>): Promise<void> {
  switch (asked.kind) {
    case 'messages':
      messages.length = asked.from
      messages.push(...asked.messages)
      return
    case 'decide':
      return decide(asked.start)
    case 'work':
      return tell({ kind: 'answer', number: asked.number, value: await done(asked.work) })
    case 'open':
      opened = await open(asked.file, asked.name, tell)
      return
    case 'account':
      if (opened !== null) await account(opened, asked, tell)
      return
    case 'rest':
      return rest()
    case 'search':
      return (await import('./searching.js')).search(asked, tell)
    case 'compare': {
      const { kind: _, ...options } = asked
      return (await import('./comparing.js')).compare(messages, options, tell)
    }
    case 'preview':
      return tell((await import('./comparing.js')).preview(messages, asked))
  }
}

async function done(work: Work): Promise<unknown> {
  // More messages may arrive while this runs.
  const all = [...messages]
  switch (work.kind) {
    case 'next':
      return next(all, work.now)
    case 'ahead':
      return ahead(all, work.now)
    case 'endTurn':
      return endTurn(all)
    case 'compact':
      return compact(all, work.how)
    case 'recall':
      return recall(work.args)
    case 'save':
      return (await keeping()).save({ ...work.conversation, messages: all }, work.files)
    case 'load':
      return load(work.id)
    case 'view':
      return (await import('../content/outlined.js')).outlined(work.file)
  }
}

async function load(id: string): Promise<LoadedConversation | undefined> {
  const loaded = await (await keeping()).load(id)
  if (loaded === undefined) return undefined
  const { messages: kept, ...conversation } = loaded.conversation
  messages = [...kept]
  handOver(kept, readMessages(kept, { format: conversation.format }).messages, tell)
  return { conversation: conversation satisfies KeptConversation, files: loaded.files }
}

addEventListener('message', async ({ data }: MessageEvent<Asked>) => {
  try {
    if (data.kind === 'core') return startCore(init(data.module))
    await coreStarted
    await answer(data)
  } catch (error) {
    const code = error instanceof TrimtabError ? { code: error.code } : {}
    const failed = { kind: 'failed', reason: reasonOf(error), ...code } as const
    tell(data.kind === 'work' ? { ...failed, number: data.number } : failed)
  }
})
