import { writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import fc from 'fast-check'
import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { fileStore, loadSession } from 'trimtab/sessions'
import {
  readTranscript,
  type WritableKind,
  type WriteTranscriptOptions,
  writeTranscript,
} from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { trimtab } from '../cli/run.js'
import { conversation } from '../node/conversation.js'
import { runs } from '../node/random.js'
import { FORMATS, write } from '../node/write.js'
import { scratchFolder } from '../workspace/folder.js'
import { fixtures, messageFiles, realSessions } from './files.js'
import { substance } from './substance.js'
import { problemsOf } from './validity.js'

/** The format in which each agent's file is read. */
const AGENTS: readonly [WritableKind, Format][] = [
  ['claude-code', 'anthropic'],
  ['codex', 'openai-chat'],
  ['pi', 'anthropic'],
  ['swe-agent', 'openai-chat'],
]
const MESSAGES = FORMATS.map((format) => [`${format}-messages`, format] as const)
const KINDS: WritableKind[] = [...[...AGENTS, ...MESSAGES].map(([kind]) => kind), 'saved-session']

const pairs = FORMATS.flatMap((from) =>
  [...AGENTS, ...MESSAGES].map(([kind, to]): [Format, WritableKind, Format] => [from, kind, to]),
)
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe.each(pairs)('a conversation in the format %s, written as %s', (format, kind, to) => {
  const check = (law: (history: object[]) => void): void =>
    fc.assert(
      fc.property(conversation, (turns) => law(write(turns, format))),
      { numRuns: Math.ceil(runs.numRuns / 10) },
    )

  test('is read as the messages that a conversion gives', () => {
    check((history) => {
      const { text } = writeTranscript(history, { kind, format })
      const read = readTranscript(text)
      expect([read.kind, read.format]).toEqual([kind, to])
      const converted = convertMessages(history, to, { format }).messages
      if (kind.endsWith('-messages')) expect(read.messages).toEqual(plain(converted))
      else {
        expect(substance(read.messages, to)).toEqual(substance(converted, to))
        const before = format === to ? problemsOf(history, to) : []
        expect(before).toEqual(expect.arrayContaining(problemsOf(read.messages, to)))
      }
      // What was read is written and read again without any change.
      const again = writeTranscript(read.messages, { kind, format: to })
      expect(readTranscript(again.text).messages).toEqual(read.messages)
      if (!kind.endsWith('-messages')) expect(again.lost).toEqual([])
    })
  })

  test('keeps its images, or names them', () => {
    check((history) => {
      const images = (value: unknown) => JSON.stringify(value).split('iVBORw0KGgo').length - 1
      const { lost, text } = writeTranscript(history, { kind, format })
      const files = lost.filter(({ what }) => /^(?:file|image)|^provider option/.test(what)).length
      expect(images(JSON.parse(JSON.stringify(text))) + files).toBeGreaterThanOrEqual(images(history))
    })
  })

  test('is written the same every time, and stays unchanged', () => {
    check((history) => {
      const before = JSON.stringify(history)
      const written = writeTranscript(history, { kind, format })
      expect(writeTranscript(JSON.parse(before) as object[], { kind, format })).toEqual(written)
      expect(JSON.stringify(history)).toBe(before)
    })
  })
})

const HISTORY = [
  { role: 'user', content: 'Which tide is next?' },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'tides.txt' } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'high at 4' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'High water at four.' }] },
]
const START = Date.UTC(2026, 0, 1)
const FACTS = {
  format: 'anthropic',
  title: 'Tides',
  system: 'Be brief.',
  times: [START, START + 1000, null, START + 3000],
  usage: [null, { input: 50, cached: 20, output: 5 }, null, { input: 70, cached: 50, output: 6 }],
  requests: [
    null,
    { model: 'm1', session: 's', writes: { tokens: 10, seconds: 3600 }, missReason: null },
    null,
    { model: 'm1', session: 's', writes: { tokens: 0, seconds: null }, missReason: 'system_changed' },
  ],
  cwd: '/home/ana/tides',
} as const satisfies Omit<WriteTranscriptOptions, 'kind'>

describe('facts about a session', () => {
  const CASES: [WritableKind, string[]][] = [
    ['claude-code', ['system']],
    ['codex', ['title', 'requests']],
    ['pi', ['system', 'requests']],
    ['swe-agent', ['title', 'times', 'usage', 'requests', 'cwd']],
    ['saved-session', ['times', 'usage', 'requests', 'cwd']],
    ...MESSAGES.map(([kind]): [WritableKind, string[]] => [kind, ['times', 'usage', 'requests', 'cwd']]),
  ]

  test.each(CASES)('%s: are read again, or named as omitted: %j', (kind, omitted) => {
    const written = writeTranscript(HISTORY, { kind, ...FACTS })
    expect(written.omitted.sort()).toEqual([...omitted].sort())
    const read = readTranscript(written.text)
    const holds = (fact: string) => !omitted.includes(fact)
    if (holds('title')) expect(read.title).toBe('Tides')
    if (holds('system')) expect(read.system ?? JSON.stringify(read.messages[0])).toContain('Be brief.')
    const at = (index: number) => index + read.messages.length - HISTORY.length
    if (holds('times'))
      expect([read.times?.[at(1)], read.times?.[at(3)]]).toEqual([START + 1000, START + 3000])
    if (holds('usage'))
      expect([read.usage?.[at(1)], read.usage?.[at(3)]]).toEqual([FACTS.usage[1], FACTS.usage[3]])
    if (holds('requests')) expect(read.requests).toEqual(FACTS.requests)
    expect(read.cwd).toBe(holds('cwd') ? '/home/ana/tides' : undefined)
  })

  test.each(KINDS)('%s: none are invented', (kind) => {
    const { omitted, text } = writeTranscript(HISTORY, { kind })
    const { messages: _messages, skipped: _skipped, requests: _requests, ...read } = readTranscript(text)
    expect([omitted, Object.keys(read)]).toEqual([[], ['kind', 'format']])
  })

  test('a system message among the messages is omitted where the file holds none', () => {
    const history = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hi' },
    ]
    const { lost, omitted } = writeTranscript(history, { kind: 'pi', format: 'openai-chat' })
    expect(omitted).toEqual(['system'])
    expect(lost.map(({ index }) => index)).toEqual([0])
  })

  test('a message without a time has that of the message before it', () => {
    const { text } = writeTranscript(HISTORY, { kind: 'claude-code', times: [null, START, null, null] })
    const written = text
      .trim()
      .split('\n')
      .map((line) => Date.parse(JSON.parse(line).timestamp))
    expect(written).toEqual([START, START, START, START])
  })

  test('what was reported of a message belongs to the first of those that it becomes', () => {
    const step = (text: string) => [{ type: 'step-start' }, { type: 'text', text }]
    const call = { type: 'tool-read', toolCallId: 'c', state: 'output-available', input: {}, output: 'x' }
    const history = [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] },
      { id: 'a', role: 'assistant', parts: [...step('I read.'), call, ...step('Done.')] },
    ]
    const usage = [null, { input: 9, cached: 0, output: 1 }]
    const { text } = writeTranscript(history, { kind: 'claude-code', format: 'ai-sdk-ui', usage })
    expect(readTranscript(text).usage).toEqual([null, usage[1], null, null])
  })
})

describe('an existing session, written as its own kind', () => {
  const sessions = [...fixtures(), ...messageFiles(), ...realSessions()]
  test.each(sessions)('$name is read the same again', ({ text }) => {
    const { kind, messages, skipped: _skipped, ...facts } = readTranscript(text)
    if (kind === 'api-log') return
    const written = writeTranscript(messages, { kind, ...facts })
    expect(written.lost).toEqual([])
    const again = readTranscript(written.text)
    expect(again).toMatchObject({ kind, messages: plain(messages) as object[] })
    expect([again.title, again.system]).toEqual([facts.title, facts.system])
    if (!written.omitted.includes('usage')) expect(again.usage).toEqual(facts.usage)
    if (!written.omitted.includes('times')) expect(knownOf(again.times)).toEqual(knownOf(facts.times))
    if (kind === 'claude-code') expect(again.requests).toMatchObject(withoutNull(facts.requests))
  })
})

/** A session without an id gets one. */
const withoutNull = (requests: readonly (object | null)[] = []) =>
  requests.map((request) =>
    request === null
      ? null
      : Object.fromEntries(
          Object.entries(request).filter(([name, value]) => name !== 'session' || value !== null),
        ),
  )

/** Times of the answers that have one; others have that of the message before. */
const knownOf = (times: readonly (number | null)[] | undefined) => times?.filter((time) => time !== null)

describe.each(KINDS)('a file of the kind %s', (kind) => {
  const texts = [
    'half \ud800',
    '\udc00 half',
    'line\u2028and\u2029paragraph',
    'nul \0 bell \x07',
    '\ufeff',
    '\r\n{"a":1}\n',
  ]
  test.each(texts)('keeps the text %j', (text) => {
    const called = { name: 'write', arguments: JSON.stringify({ text }) }
    const history = [
      { role: 'user', content: `${text}.` },
      {
        role: 'assistant',
        content: `${text}!`,
        tool_calls: [{ id: 'c1', type: 'function', function: called }],
      },
      { role: 'tool', tool_call_id: 'c1', content: `${text}?` },
    ]
    const { messages, format } = readTranscript(
      writeTranscript(history, { kind, format: 'openai-chat' }).text,
    )
    expect(substance(messages, format)).toMatchObject({
      texts: [`${text}.`, `${text}!`],
      uses: [{ name: 'write', args: { text }, result: `${text}?` }],
    })
  })

  test('is read by the command line', () => {
    const { extension, text } = writeTranscript(HISTORY, { kind, format: 'anthropic' })
    const file = `${scratchFolder()}/session.${extension}`
    writeFileSync(file, text)
    const { stderr, stdout } = trimtab(['inspect', file, '--json'])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      kind,
      toolResults: [{ tool: 'read', results: 1 }],
      unansweredCalls: [],
      orphanResults: [],
    })
  })

  test('is refused for a value without JSON', () => {
    const call = { type: 'tool_use', id: 'c', name: 'n', input: { n: 1n } }
    const history = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [call] },
    ]
    const write = () => writeTranscript(history, { kind, format: 'anthropic' })
    expect(write).toThrow(expect.objectContaining({ name: 'TrimtabError' }))
  })
})

test('a written session is loaded by the store', async () => {
  const folder = scratchFolder()
  const { text } = writeTranscript(HISTORY, { kind: 'saved-session', ...FACTS })
  writeFileSync(`${folder}/tides.jsonl`, text)
  const loaded = await loadSession(fileStore({ fs, folder }), 'tides')
  expect(loaded?.session).toMatchObject({
    history: HISTORY,
    title: 'Tides',
    format: 'anthropic',
    system: 'Be brief.',
  })
})

test('a Claude Code session is one chain of lines with ids of their own', () => {
  const { text } = writeTranscript(HISTORY, { kind: 'claude-code', ...FACTS })
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const ids = lines.flatMap(({ uuid }) => uuid ?? [])
  expect(new Set(ids).size).toBe(HISTORY.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(lines.flatMap(({ parentUuid }) => (parentUuid === undefined ? [] : [parentUuid]))).toEqual([
    null,
    ...ids.slice(0, -1),
  ])
  expect(lines.at(-1)).toEqual({ type: 'custom-title', customTitle: 'Tides', sessionId: 's' })
})

test('each answer of a Claude Code session has a model: the program does not resume it otherwise', () => {
  const { text } = writeTranscript(HISTORY, { kind: 'claude-code' })
  const models = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'assistant')
    .map(({ message }) => message.model)
  expect(new Set(models)).toEqual(new Set(['<synthetic>']))
  expect(readTranscript(text).requests).toBeUndefined()
})

test('Codex gets its instructions in the header, and events beside the items', () => {
  const { text } = writeTranscript(HISTORY, { kind: 'codex', ...FACTS })
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({
    type: 'session_meta',
    payload: { base_instructions: { text: 'Be brief.' } },
  })
  const events = lines.flatMap(({ type, payload }) => (type === 'event_msg' ? [payload.type] : []))
  expect(events).toEqual(['user_message', 'token_count', 'agent_message', 'token_count'])
})

test('Codex gets no files but images: a text is in their place', () => {
  const pdf = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }
  const messages = [
    { role: 'user', content: [pdf] },
    { role: 'assistant', content: 'It is empty.' },
    { role: 'user', content: [{ type: 'text', text: 'And this?' }, pdf] },
    { role: 'assistant', content: 'That too.' },
  ]
  const { text, lost } = writeTranscript(messages, { kind: 'codex' })
  expect(lost).toEqual([0, 2].map((index) => ({ index, what: 'file of type application/pdf' })))
  expect(readTranscript(text).messages).toEqual([
    { role: 'user', content: '[left out: file of type application/pdf]' },
    { role: 'assistant', content: 'It is empty.' },
    { role: 'user', content: 'And this?' },
    { role: 'assistant', content: 'That too.' },
  ])
  // A session that has one even so keeps the place of what was said.
  const part = { type: 'input_file', filename: 'a.pdf' }
  const item = { type: 'message', role: 'user', content: [part] }
  const foreign = text.replace(/\{"type":"message","role":"user".*?\}\]\}/, JSON.stringify(item))
  expect(readTranscript(foreign).messages[0]).toEqual({
    role: 'user',
    content: '[left out: part of type "input_file"]',
  })
})

test('pi gets a header and a chain of entries, with the names of the tools', () => {
  const { text } = writeTranscript(HISTORY, { kind: 'pi', ...FACTS })
  const [header, ...entries] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header).toMatchObject({ type: 'session', version: 3, cwd: '/home/ana/tides' })
  expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...entries.slice(0, -1).map(({ id }) => id)])
  expect(entries[0]).toMatchObject({ type: 'session_info', name: 'Tides' })
  expect(entries[2].message).toMatchObject({ stopReason: 'toolUse', model: 'm1', timestamp: START + 1000 })
  expect(entries[3].message).toMatchObject({ role: 'toolResult', toolName: 'read', isError: false })
  expect(entries[4].message).toMatchObject({
    stopReason: 'stop',
    usage: { input: 20, cacheRead: 50, output: 6 },
  })
})

test('SWE-agent gets the thought and the action of each answer', () => {
  const history = JSON.parse(writeTranscript(HISTORY, { kind: 'swe-agent', ...FACTS }).text)
    .history as object[]
  expect(history).toMatchObject([
    { role: 'system', message_type: 'system_prompt', content: 'Be brief.' },
    { role: 'user', message_type: 'observation' },
    { role: 'assistant', message_type: 'action', thought: '', action: 'read {"path":"tides.txt"}' },
    { role: 'tool', message_type: 'observation', tool_call_ids: ['c1'] },
    { role: 'assistant', message_type: 'action', thought: 'High water at four.', action: '' },
  ])
})

test('bytes are written as base64', () => {
  const content = [{ type: 'file', data: new Uint8Array([1, 2]), mediaType: 'application/pdf' }]
  const { text } = writeTranscript([{ role: 'user', content }], { kind: 'ai-sdk-messages', format: 'ai-sdk' })
  expect(readTranscript(text).messages).toEqual([
    { role: 'user', content: [{ type: 'file', data: 'AQI=', mediaType: 'application/pdf' }] },
  ])
})

describe('what an agent has no form for', () => {
  const LOST: [WritableKind, string, object[], string][] = [
    [
      'pi',
      'a document',
      [{ type: 'document', source: { type: 'text', data: 'x' } }],
      'block of type "document"',
    ],
    [
      'pi',
      'an image by its address',
      [{ type: 'image', source: { type: 'url', url: 'https://a.b' } }],
      'block of type "image"',
    ],
    [
      'pi',
      'a cache mark',
      [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
      'field "cache_control" of a block of type "text"',
    ],
  ]
  test.each(LOST)('%s: %s is lost and named', (kind, _, content, what) => {
    const { lost } = writeTranscript([{ role: 'user', content }], { kind, format: 'anthropic' })
    expect(lost).toEqual([{ index: 0, what }])
  })

  test.each([
    ['claude-code', [], 'message without text or calls'],
    ['pi', [7], 'number in place of content'],
  ] as const)('%s: content that is no block is lost and named: %j', (kind, content, what) => {
    const { lost } = writeTranscript([{ role: 'assistant', content }], { kind, format: 'anthropic' })
    expect(lost).toEqual([{ index: 0, what }])
  })

  test.each(['claude-code', 'pi'] as const)('%s: a message of another role is lost and named', (kind) => {
    const { lost } = writeTranscript([{ role: 'system', content: 'x' }], { kind, format: 'anthropic' })
    expect(lost).toEqual([{ index: 0, what: 'message of role "system"' }])
  })

  test('SWE-agent: a free input becomes an argument', () => {
    const call = { id: 'c', type: 'custom', custom: { name: 'patch', input: '*** Begin' } }
    const history = [{ role: 'assistant', content: null, tool_calls: [call] }]
    const { lost, text } = writeTranscript(history, { kind: 'swe-agent', format: 'openai-chat' })
    expect(lost).toEqual([{ index: 0, what: 'form of a free input (now an argument "input")' }])
    const made = { name: 'patch', arguments: '{"input":"*** Begin"}' }
    expect(readTranscript(text).messages).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: made }] },
    ])
  })
})

test.each([
  [{ kind: 'api-log' }, /kind must be/],
  [{}, /kind must be/],
  [{ kind: 'pi', times: ['x'] }, /times must be/],
  [{ kind: 'pi', times: [1e20] }, /times must be/],
])('the options %j are refused', (options, reason) => {
  expect(() => writeTranscript(HISTORY, options as never)).toThrow(reason)
})
