// Hostile answers, thoughts and calls of each provider, up to what the page draws: the events of the stream and the
// messages of the chat are the same from all of them, so that tests/page/hostile-model.test.ts draws them once.
import { cacheAware, readMessages } from 'trimtab'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import type { ModelEvent } from '../../www/src/chat/agent/model.js'
import { memoryPlace } from '../../www/src/chat/agent/places.js'
import { runTurn } from '../../www/src/chat/agent/run-turn.js'
import { workbenchFor } from '../../www/src/chat/agent/tools.js'
import { PROVIDER_IDS, type ProviderId } from '../../www/src/chat/models/connection.js'
import { networkModel } from '../../www/src/chat/models/network-model.js'
import { hostileChats } from '../page/hostile-answers.js'
import { type ModelServer, startModelServer } from './model-server.js'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

/** The kinds of events of a stream, each with all of its text; calls by index. */
function joined(events: readonly ModelEvent[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const event of events) {
    if (event.type === 'answer') continue
    const [key, text] =
      event.type === 'call'
        ? [`call ${event.index}`, `${event.name}${event.arguments}`]
        : [event.type, event.text]
    texts[key] = (texts[key] ?? '') + text
  }
  return texts
}

/** What a provider's chat leads to: what streamed, and each block of the messages. */
async function drawnOf(provider: ProviderId, answers: (typeof hostileChats)[number]) {
  const conversation = new Conversation({ id: 'a', title: 'A', format: 'openai-chat', policy: cacheAware() })
  const { tools, system } = workbenchFor(conversation, memoryPlace())
  const connection = { provider, address: `${server.origin}/v1`, model: 'm', key: '', window: 128_000 }
  const model = networkModel(connection, fetch)
  const streamed: ModelEvent[][] = []
  server.received.length = 0
  server.next(...answers.map((said) => ({ kind: 'answers' as const, said })))
  conversation.say('user', 'Go on', 1000)
  await runTurn(conversation, {
    model: {
      format: model.format,
      async *answer(request) {
        const events: ModelEvent[] = []
        streamed.push(events)
        for await (const event of model.answer(request)) {
          events.push(event)
          yield event
        }
      },
    },
    tools,
    system,
    signal: new AbortController().signal,
    now: () => 2000,
  })
  expect(conversation.failure).toBeNull()
  expect(server.received).toHaveLength(answers.length)
  expect(server.faults()).toEqual([])
  const history = readMessages(conversation.messages, { format: conversation.format })
  const blocks = history.blocks().map((block) => {
    // Ids are the provider's; `toolUse` says which result belongs to which call.
    const { callId: _, block: __, ...facts } = block
    return { ...facts, text: history.textOf(block) }
  })
  return { streamed: streamed.map(joined), blocks }
}

const wellFormed = (answers: (typeof hostileChats)[number]): typeof answers =>
  JSON.parse(JSON.stringify(answers), (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )

test.each(hostileChats.map((answers, at) => ({ at, answers })))(
  'all providers lead to the same events and messages: chat $at',
  async ({ answers }) => {
    const drawn = []
    for (const provider of PROVIDER_IDS) drawn.push(await drawnOf(provider, answers))
    const [openai, ...others] = drawn
    expect(openai?.streamed.map(({ text, reasoning }) => ({ text, reasoning }))).toEqual(
      answers.map(({ text, reasoning }) => ({ text, reasoning })),
    )
    // Arguments stay the JSON that they are in this format; those of the others were values, in which no half of a pair of
    // surrogates remains.
    const isWhole = JSON.stringify(answers) === JSON.stringify(wellFormed(answers))
    const kept = isWhole ? openai : await drawnOf('openai', wellFormed(answers))
    // Thoughts of another provider are drawn while they stream, and are not kept in this format.
    const blocks = kept?.blocks.filter(({ kind }) => kind !== 'reasoning')
    for (const other of others) expect(other).toEqual({ streamed: openai?.streamed, blocks })
  },
)
