import { type Format, readMessages } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { expect, test } from 'vitest'
import { answered } from '../../www/src/chat/agent/answered.js'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import { isOpenCall, RecordedHistory } from '../../www/src/chat/agent/history.js'
import type { ModelRequest } from '../../www/src/chat/agent/model.js'
import { runTurn } from '../../www/src/chat/agent/run-turn.js'
import { problems } from '../node/oracle.js'

const FORMATS: Format[] = ['openai-chat', 'anthropic', 'gemini']

const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: 'I look.',
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 'bash', arguments: '{"command":"make"}' },
  })),
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' })
const user = (content: string) => ({ role: 'user', content })

/** Histories as a closed page or an interruption leaves them. */
const INTERRUPTED: Record<string, object[]> = {
  'at the end': [user('go'), calls('a')],
  'several at the end, after an answered one': [user('go'), calls('a'), result('a'), calls('b', 'c')],
  'before a prompt': [user('go'), calls('a'), user('never mind')],
  'the first of two': [user('go'), calls('a', 'b'), result('b'), user('never mind')],
  'the second of two': [user('go'), calls('a', 'b'), result('a')],
  'twice in a history': [user('go'), calls('a'), user('again'), calls('b'), user('and again')],
}

for (const [name, messages] of Object.entries(INTERRUPTED)) {
  test(`hasOpenCalls is right for each part of a history, with calls without a result: ${name}`, () => {
    const all = [...messages, result('a'), result('b'), user('more')]
    let history = RecordedHistory.empty('openai-chat')
    for (let length = 1; length <= all.length; length++) {
      history = history.of(all.slice(0, length))
      for (let part = 0; part <= length; part++) {
        const before = history.before(part)
        const isOpen = before.messages.some(({ blocks }) => blocks.some((block) => isOpenCall(block, before)))
        expect([length, part, before.hasOpenCalls]).toEqual([length, part, isOpen])
      }
    }
  })
}

for (const format of FORMATS) {
  for (const [name, history] of Object.entries(INTERRUPTED)) {
    test(`answered gives each call a result in ${format}, with calls without a result: ${name}`, () => {
      const { messages } = convertMessages(history, format, { format: 'openai-chat' })
      expect(problems(messages, format)).not.toEqual([])
      const sent = answered(messages, format)
      expect(problems(sent, format)).toEqual([])
      const open = readMessages(sent, { format }).messages.flatMap(({ blocks }) =>
        blocks.filter(({ kind, isPaired }) => kind === 'tool-call' && !isPaired),
      )
      expect(open).toEqual([])
      // The beginning stays as it is, for the prompt cache.
      expect(answered(messages.slice(0, 2), format).slice(0, 2)).toEqual(sent.slice(0, 2))
    })
  }

  test(`a turn after an interrupted call sends a valid request in ${format}`, async () => {
    const conversation = new Conversation({
      id: 's',
      title: 'S',
      format: 'openai-chat',
      policy: {},
    })
    conversation.append([user('go'), calls('a'), user('never mind')])
    const sent: ModelRequest[] = []
    await runTurn(conversation, {
      tools: [],
      signal: new AbortController().signal,
      now: Date.now,
      model: {
        format,
        async *answer(request) {
          sent.push(request)
          const said = convertMessages([{ role: 'assistant', content: 'Fine.' }], format, {
            format: 'openai-chat',
          })
          yield { type: 'answer', messages: said.messages }
        },
      },
    })
    expect(conversation.failure).toBeNull()
    expect(sent.map(({ messages }) => problems([...messages], format))).toEqual([[]])
  })
}
