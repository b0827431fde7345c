import fc from 'fast-check'
import type { Format } from 'trimtab'
import { convertMessages, type LostItem } from 'trimtab/formats'
import { describe, expect, test } from 'vitest'
import { conversation } from '../node/conversation.js'
import { runs } from '../node/random.js'
import { FORMATS, write } from '../node/write.js'

const pairs = FORMATS.flatMap((from) =>
  FORMATS.filter((to) => to !== from).map((to): [Format, Format] => [from, to]),
)

/** A word that nothing else says: it is in the other format, or the message that has it is in `lost`. */
const MARK = 'a-word-that-nothing-else-says'

/** Fields that hold content in one format or another, and one that none has. */
const FIELDS = [
  ...['content', 'parts', 'text', 'output', 'result', 'response', 'input', 'args', 'arguments', 'tools'],
  ...['tool_calls', 'toolInvocations', 'function_call', 'function', 'image', 'data', 'source', 'file'],
  ...['attachments', 'artifact', 'reasoning', 'reasoning_details', 'annotations', 'images', 'novel'],
]

/** What they say is no content, and without it a message is another one. */
const STRUCTURE = new Set([
  ...[
    'role',
    'type',
    'id',
    'call_id',
    'tool_call_id',
    'toolCallId',
    'tool_use_id',
    'name',
    'toolName',
    'state',
  ],
  ...[
    'status',
    'mediaType',
    'mimeType',
    'mime_type',
    'media_type',
    'metadata',
    'providerOptions',
    'providerMetadata',
    'signature',
    'cache_control',
    'additional_kwargs',
    'kwargs',
    'lc',
    'thought',
  ],
])

type Json = Record<string, unknown>

/** Where messages hold their parts, results theirs, and calls what they call. */
const LISTS = new Set([
  'content',
  'parts',
  'output',
  'value',
  'tool_calls',
  'data',
  'function',
  'functionCall',
])

/** A message, its parts and calls, and the parts of its results; not what a tool was given or returned as a value. */
function objectsOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsOf)
  if (typeof value !== 'object' || value === null) return []
  const { type } = value as Json
  const inside = Object.entries(value).flatMap(([key, field]) =>
    LISTS.has(key) && type !== 'json' && type !== 'error-json' ? objectsOf(field) : [],
  )
  return [value as Json, ...inside]
}

const shapes: ((mark: string) => unknown)[] = [
  (mark) => mark,
  (mark) => ({ text: mark }),
  (mark) => [mark],
  (mark) => [{ type: 'text', text: mark }],
  (mark) => [{ text: mark }],
  (mark) => [{ type: 'novel', novel: mark }],
]

interface Change {
  message: number
  object: number
  field: number
  shape: number
}
const change: fc.Arbitrary<Change> = fc.record({
  message: fc.nat(),
  object: fc.nat(),
  field: fc.nat(),
  shape: fc.nat(shapes.length - 1),
})

/** Puts the mark somewhere in a message. */
function mark(history: object[], { field, message, object, shape }: Change): { at: number; isNew: boolean } {
  const at = message % history.length
  const objects = objectsOf(history[at])
  const holder = objects[object % objects.length] ?? {}
  const fields = [...Object.keys(holder).filter((key) => !STRUCTURE.has(key)), ...FIELDS]
  const name = fields[field % fields.length] ?? 'novel'
  // A format without reasoning names all of it at once.
  const isNew = holder[name] === undefined && holder.type !== 'reasoning'
  holder[name] = shapes[shape]?.(MARK)
  return { at, isNew }
}

/** What was lost of a message; of OpenAI's items, of the answer that the item belongs to. */
function lostOf(lost: readonly LostItem[], at: number, history: readonly object[], from: Format): string[] {
  let first = at
  const isModels = (item: Json | undefined): boolean =>
    item?.role === 'assistant' || /reasoning|_call$/.test(String(item?.type))
  if (from === 'openai-responses') while (isModels(history[first - 1] as Json | undefined)) first--
  return lost.filter(({ index }) => index >= first && index <= at).map(({ what }) => what)
}

/** Whether `more` has an entry that `few` has not, or has less often. */
function adds(few: readonly string[], more: readonly string[]): boolean {
  const left = [...few]
  return more.some((what) => {
    const i = left.indexOf(what)
    if (i !== -1) left.splice(i, 1)
    return i === -1
  })
}

describe.each(pairs)('convertMessages from %s to %s', (from, to) => {
  test('converts or reports all content of a message', () => {
    fc.assert(
      fc.property(conversation, change, (turns, where) => {
        const history = JSON.parse(JSON.stringify(write(turns, from))) as object[]
        const before = convertMessages(JSON.parse(JSON.stringify(history)) as object[], to, { format: from })
        const { at, isNew } = mark(history, where)
        const after = convertMessages(history, to, { format: from })
        if (JSON.stringify([after.messages, after.system]).includes(MARK)) return
        // What was named before may hold it now: reasoning that the other format cannot have, say.
        const named = isNew ? lostOf(before.lost, at, history, from) : []
        const isNamed = adds(named, lostOf(after.lost, at, history, from))
        if (!isNamed) throw new Error(`neither converted nor named: ${JSON.stringify(history[at])}`)
      }),
      { numRuns: runs.numRuns, includeErrorInReport: true },
    )
  })
})

describe('convertMessages from assistant-ui', () => {
  const history = [
    {
      id: 'u',
      role: 'user',
      createdAt: new Date(0),
      content: [{ type: 'text', text: 'Look.' }],
      attachments: [
        { id: 'f', type: 'document', name: 'a.md', content: [{ type: 'text', text: 'attached text' }] },
      ],
    },
    {
      id: 'a',
      role: 'assistant',
      status: { type: 'complete', reason: 'stop' },
      content: [
        { type: 'text', text: 'I read.' },
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'read',
          args: { path: 'x' },
          argsText: '{"path":"x"}',
          result: 'text of x',
        },
        {
          type: 'tool-call',
          toolCallId: 'b',
          toolName: 'read',
          args: { path: 'y' },
          argsText: '{"path":"y"}',
          result: { error: 'none' },
          isError: true,
        },
        { type: 'text', text: 'Done.' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'ask', args: {}, argsText: '{}' },
      ],
    },
  ]

  test.each(FORMATS)('gives messages of %s with every result', (to) => {
    const { lost, messages } = convertMessages(history, to, { format: 'ai-sdk' })
    const written = JSON.stringify(messages)
    for (const text of ['Look.', 'attached text', 'I read.', 'text of x', 'none', 'Done.'])
      expect(written).toContain(text)
    const failures = to.startsWith('openai') ? [{ index: 1, what: 'mark of a failed result (is_error)' }] : []
    expect(lost).toEqual(failures)
  })

  test('gives steps of the AI SDK', () => {
    const { messages } = convertMessages(history, 'ai-sdk', { format: 'ai-sdk' })
    expect(messages.map((message) => (message as Json).role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
  })
})

test.each([
  [{ type: 'direct' }, []],
  [
    { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' },
    [{ index: 1, what: 'field "caller" of a block of type "tool_use"' }],
  ],
])('who made a call is reported unless it is the model itself: %j', (caller, lost) => {
  const history = [
    { role: 'user', content: 'List the files.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'bash', input: {}, caller }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'notes.md' }] },
  ]
  expect(convertMessages(history, 'openai-chat', { format: 'anthropic' }).lost).toEqual(lost)
})
