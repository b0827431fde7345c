import { coreStarted } from '../../engine/core.js'
import { reasonOf } from '../agent/reason.js'
import type { ReadSession } from '../agent/recorded-requests.js'
import { account, rest } from './accounting.js'
import { compare, preview } from './comparing.js'
import { open } from './opening.js'
import type { Asked, Told } from './protocol.js'

/** One session: another one gets another worker. */
const messages: object[] = []
let opened: ReadSession | null = null

const tell = (told: Told) => postMessage(told)

async function answer(asked: Asked): Promise<void> {
  switch (asked.kind) {
    case 'messages':
      messages.push(...asked.messages)
      return
    case 'open':
      opened = await open(asked.file, asked.name, tell)
      return
    case 'account':
      if (opened !== null) await account(opened, asked, tell)
      return
    case 'rest':
      return rest()
    case 'compare': {
      const { kind: _, ...options } = asked
      return compare(messages, options, tell)
    }
    case 'preview':
      return tell(preview(messages, asked))
  }
}

addEventListener('message', async ({ data }: MessageEvent<Asked>) => {
  try {
    await coreStarted
    await answer(data)
  } catch (error) {
    tell({ kind: 'failed', reason: reasonOf(error) })
  }
})
