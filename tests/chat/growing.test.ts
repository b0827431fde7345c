import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../node/random.js'
import { BlockIndex } from '../../www/src/chat/agent/block-index.js'
import { RecordedHistory } from '../../www/src/chat/agent/history.js'
import type { SentRequest } from '../../www/src/chat/agent/requests.js'
import { scriptedModel } from '../../www/src/chat/agent/scripted-model.js'
import { blockRows, rowsOf } from '../../www/src/chat/agent/thread.js'
import { TrimReader } from '../../www/src/chat/agent/trims.js'
import { openai } from '../../www/src/chat/models/openai.js'

/** Parts of a history: prompts, answers, calls with a result, and calls without one. */
type Piece = 'user' | 'text' | 'call' | 'open call'

function messagesOf(pieces: readonly Piece[]): object[] {
  return pieces.flatMap((piece, at): object[] => {
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `c${at}`, type: 'function', function: { name: 'read_file', arguments: `{"path":"${at}.ts"}` } },
      ],
    }
    const result = { role: 'tool', tool_call_id: `c${at}`, content: `line ${at}\n`.repeat(1 + (at % 7)) }
    if (piece === 'user') return [{ role: 'user', content: `Request ${at}` }]
    if (piece === 'text') return [{ role: 'assistant', content: `Answer ${at}` }]
    return piece === 'call' ? [call, result] : [call]
  })
}

const pieces = fc.array(fc.constantFrom<Piece>('user', 'text', 'call', 'open call'), { maxLength: 30 })

test('rows and token sums of a history that grows and shrinks equal those of one read as a whole', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60), { minLength: 1, maxLength: 12 }), (made, lengths) => {
      const all = messagesOf(made)
      let history = RecordedHistory.empty('openai-chat')
      let index: BlockIndex | undefined
      for (const length of lengths) {
        const messages = all.slice(0, length)
        history = history.of(messages)
        // New message objects, of which nothing is cached.
        const whole = new RecordedHistory(messages, 'openai-chat', structuredClone(history.facts))
        const shown = { requests: [], trims: [], notes: [] }
        const rows = rowsOf({ ...shown, history })
        const grown = blockRows(history)
        expect(grown).toEqual(blockRows(whole))
        expect(rows).toEqual(rowsOf({ ...shown, history: whole.before(messages.length) }))
        index = new BlockIndex(history.facts, index)
        const fresh = new BlockIndex(whole.facts)
        expect(index.largest).toEqual(fresh.largest)
        for (let at = 0; at <= history.facts.length; at++) expect(index.tokens(at)).toEqual(fresh.tokens(at))
      }
    }),
  )
})

/** Requests with edits that appear, change and disappear. */
const requests = fc.array(
  fc.record({
    sent: fc.nat(1000),
    edits: fc.array(
      fc.record({
        message: fc.nat(4),
        block: fc.constant(0),
        tokensBefore: fc.nat(100),
        tokensAfter: fc.nat(100),
      }),
      { maxLength: 3 },
    ),
    dropped: fc.array(
      fc.nat(4).map((message) => `${message}.0`),
      { maxLength: 2 },
    ),
  }),
  { maxLength: 20 },
) as unknown as fc.Arbitrary<SentRequest[]>

test('TrimReader returns the same trims for requests read in portions as at once', () => {
  fc.assert(
    fc.property(requests, fc.nat(20), (all, part) => {
      const [once, twice] = [new TrimReader(), new TrimReader()]
      once.read(all)
      twice.read(all.slice(0, part))
      twice.read(all)
      expect(twice.trims).toEqual(once.trims)
    }),
  )
})

/** A message before the last prompt that throws when its content is read. */
const unread = Object.defineProperty({ role: 'assistant' }, 'content', {
  enumerable: true,
  get() {
    throw new Error('this was read')
  },
})

test('the scripted model reads only the messages since the last prompt', async () => {
  const model = scriptedModel(async () => {})
  const messages = [{ role: 'user', content: 'before' }, unread, { role: 'user', content: 'list files' }]
  const events = []
  for await (const event of model.answer({
    messages,
    system: '',
    tools: [],
    signal: new AbortController().signal,
  }))
    events.push(event)
  expect(JSON.stringify(events.at(-1))).toContain('list_files')
})

test('the reader of OpenAI answers replaces a call id that is taken, without reading message contents', () => {
  const call = { id: 'call_0', type: 'function', function: { name: 'list_files', arguments: '{}' } }
  const reader = openai.reader({
    messages: [unread, { role: 'assistant', content: null, tool_calls: [call] }],
  })
  const delta = {
    tool_calls: [{ index: 0, id: 'call_0', function: { name: 'list_files', arguments: '{}' } }],
  }
  for (const _ of reader.read({ choices: [{ delta, finish_reason: 'tool_calls' }] }));
  expect(JSON.stringify(reader.messages())).not.toContain('"call_0"')
})
