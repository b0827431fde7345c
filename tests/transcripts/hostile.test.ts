import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { fixture } from './files.js'

const user = (text: string): string => JSON.stringify({ role: 'user', content: text })
const claude = fixture('claude-code.jsonl').text
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('files that readTranscript refuses', () => {
  const cases: [string, string, { line?: number; message: RegExp }][] = [
    ['an empty file', '', { message: /^f\.json: the file is empty$/ }],
    ['white space only', ' \r\n\t\n', { message: /empty/ }],
    ['a byte order mark only', '\ufeff', { message: /empty/ }],
    ['plain text', 'hello\nworld\n', { line: 1, message: /^f\.json, line 1: not valid JSON/ }],
    ['a binary file', 'ELF\u0000\u0001\u0002', { line: 1, message: /not a text file/ }],
    ['a number', '42', { line: 1, message: /neither a list nor an object/ }],
    ['a string', '"hello"', { line: 1, message: /neither a list nor an object/ }],
    ['null', 'null', { line: 1, message: /neither a list nor an object/ }],
    ['an empty list', '[]', { message: /empty/ }],
    [
      'an object of unknown kind',
      '{"name":"kiln","version":"1"}',
      { line: 1, message: /not a known session .*name, version/ },
    ],
    ['lines of unknown kind', '{"a":1}\n{"b":2}\n', { line: 1, message: /no known kind/ }],
    ['a list of numbers', '[1,2]', { message: /entry 1/ }],
    ['an empty list of messages', '{"messages":[]}', { message: /list of messages is empty/ }],
    ['an empty trajectory', '{"history":[]}', { message: /no messages/ }],
    [
      'a broken document',
      '{\n "messages": [\n  {"role":"user" "content":1}\n ]\n}',
      { line: 3, message: /line 3: not valid JSON/ },
    ],
    [
      'a document with a stray word',
      '[\n {"role":"user",\n  "content":oops}\n]',
      { line: 3, message: /line 3/ },
    ],
    [
      'a document cut short',
      '[\n {"role":"user","content":"a"},\n {"role":"us',
      { line: 3, message: /line 3/ },
    ],
    [
      'a damaged document with objects on their own lines',
      `{\n"messages": [\n${user('a')}\n${user('b')}\n],,\n}`,
      { line: 4, message: /line 4: not valid JSON/ },
    ],
    [
      'one torn line',
      '{"type":"user","message":{"role":"user","con',
      { line: 1, message: /line 1: not valid JSON/ },
    ],
    ['deep nesting', deep(100_000), { message: /entry 1|too deeply/ }],
    ['deep nesting without an end', '['.repeat(100_000), { line: 1, message: /not valid JSON/ }],
    ['one line of 1 MB', 'x'.repeat(1 << 20), { line: 1, message: /not valid JSON/ }],
    [
      'messages of two formats',
      JSON.stringify([toolMessage(), toolResultMessage()]),
      { message: /entry 2: .*Anthropic.* \(entry 1\)/ },
    ],
    [
      'a Claude Code session without messages',
      '{"type":"user","message":{"role":"user","content":""}}\n{"type":"summary"}',
      { message: /no messages/ },
    ],
  ]

  test.each(cases)('%s', (_name, text, { line, message }) => {
    const error = failureOf(text)
    expect(error).toMatchObject({ name: 'TrimtabError', code: 'unreadable_transcript' })
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('\n')
    expect(error.message.length).toBeLessThan(300)
    expect(error.line).toBe(line)
  })

  test('the error message does not quote the file', () => {
    expect(failureOf('[\n"a",\n\u001b[2J]').message).not.toContain('\u001b')
  })
})

function toolMessage(): object {
  return { role: 'tool', tool_call_id: 'c', content: 'a' }
}

function toolResultMessage(): object {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'a' }] }
}

function failureOf(text: string): Error & { line?: number } {
  try {
    readTranscript(text, { name: 'f.json' })
  } catch (error) {
    return error as Error & { line?: number }
  }
  throw new Error('nothing was wrong with it')
}

describe('damage that readTranscript skips and counts', () => {
  const lines = claude.trimEnd().split('\n')
  const cases: [string, string, { reason: string; count: number; first: number[] }][] = [
    ['a torn last line', claude, { reason: 'not valid JSON', count: 1, first: [lines.length] }],
    [
      'a torn first line',
      `{"type":"us\n${claude}`,
      { reason: 'not valid JSON', count: 2, first: [1, lines.length + 1] },
    ],
    [
      'a log line between entries',
      [...lines.slice(0, 5), 'warning: disk', ...lines.slice(5, -1)].join('\n'),
      { reason: 'not valid JSON', count: 1, first: [6] },
    ],
    [
      'a number between entries',
      [...lines.slice(0, 5), '7', ...lines.slice(5, -1)].join('\n'),
      { reason: 'JSON, but not an object', count: 1, first: [6] },
    ],
    [
      'blank lines',
      claude.replaceAll('\n', '\n\n  \n'),
      { reason: 'not valid JSON', count: 1, first: [3 * lines.length - 2] },
    ],
    ['a null entry', `[null,${user('a')}]`, { reason: 'not an object', count: 1, first: [1] }],
    [
      'an entry without a role',
      `[{"content":"x"},${user('a')}]`,
      { reason: 'unknown role null', count: 1, first: [1] },
    ],
  ]

  test.each(cases)('%s', (_name, text, expected) => {
    const { skipped } = readTranscript(text)
    expect(skipped.find(({ reason }) => reason === expected.reason)).toMatchObject(expected)
  })

  test('all damage is counted, but only the first places are listed', () => {
    const text = `${user('a')}\n${'{broken\n'.repeat(1000)}${user('b')}`
    const { messages, skipped } = readTranscript(text)
    expect(messages).toHaveLength(2)
    expect(skipped).toEqual([{ reason: 'not valid JSON', count: 1000, unit: 'line', first: [2, 3, 4, 5, 6] }])
  })
})

describe('unusual content', () => {
  test('a Unicode line separator in a text does not end the line', () => {
    const text = `${user('a\u2028b\u2029c\u0085d')}\n${user('e')}`
    expect(readTranscript(text).messages).toEqual([
      { role: 'user', content: 'a\u2028b\u2029c\u0085d' },
      { role: 'user', content: 'e' },
    ])
  })

  test('__proto__ is a key like any other', () => {
    const line =
      '{"type":"assistant","uuid":"__proto__","message":{"id":"__proto__","role":"assistant","content":[{"type":"tool_use","id":"__proto__","name":"constructor","input":{"__proto__":{"polluted":true}}}]}}'
    const answer =
      '{"type":"user","parentUuid":"__proto__","uuid":"b","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"__proto__","content":"x"}]}}'
    const { messages } = readTranscript(`${line}\n${answer}`)
    expect(messages.map((message) => (message as { role: string }).role)).toEqual(['assistant', 'user'])
    expect(JSON.stringify(messages)).toContain('"input":{"__proto__":{"polluted":true}}')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('lone surrogates and huge texts pass unchanged', () => {
    const huge = `${'y'.repeat(1 << 20)}\ud800`
    expect(readTranscript(`${user(huge)}\n${user('b')}`).messages[0]).toEqual({ role: 'user', content: huge })
  })

  test('a tool input nested 100,000 deep is read', () => {
    const line = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{"d":${deep(100_000)}}}]}`
    const { kind, messages } = readTranscript(`[${line}]`)
    expect({ kind, messages: messages.length }).toEqual({ kind: 'anthropic-messages', messages: 1 })
  })

  test('cyclic parent links do not cause an endless loop', () => {
    const lines = ['a', 'b', 'c'].map((uuid, index) => ({
      type: 'user',
      uuid,
      parentUuid: ['c', 'a', 'b'][index],
      message: { role: 'user', content: uuid },
    }))
    const { messages } = readTranscript(lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(JSON.stringify(messages)).toMatch(/a.*b.*c/)
  })

  test('60,000 lines with dangling or cyclic parent links are read', () => {
    const lines = Array.from({ length: 60_000 }, (_, index) =>
      JSON.stringify({
        type: 'assistant',
        uuid: `u${index}`,
        parentUuid: index % 2 === 0 ? `u${(index * 7919) % 60_000}` : 'gone',
        message: { id: `m${index}`, role: 'assistant', content: [{ type: 'text', text: 'x' }] },
      }),
    )
    expect(readTranscript(lines.join('\n')).messages.length).toBeGreaterThan(1)
  })

  test('the kind is detected from the content, not from the file name', () => {
    expect(readTranscript(fixture('codex.jsonl').text, { name: 'session.traj' }).kind).toBe('codex')
  })

  test('onProgress reports increasing progress up to the total', () => {
    const text = `${user('z'.repeat(100_000))}\n`.repeat(60)
    const seen: [number, number][] = []
    readTranscript(text, { onProgress: (done, total) => seen.push([done, total]) })
    expect(seen.length).toBeGreaterThan(3)
    expect(
      seen.every(([done, total], index) => total === text.length && done >= (seen[index - 1]?.[0] ?? 0)),
    ).toBe(true)
    expect(seen.at(-1)).toEqual([text.length, text.length])
  })
})

describe('tool arguments in Python syntax', () => {
  const cases: [string, unknown][] = [
    ["{'a': 1}", { a: 1 }],
    ["{\"a\": 'b', 'c': \"d'e\"}", { a: 'b', c: "d'e" }],
    ["{'t': True, 'f': False, 'n': None}", { t: true, f: false, n: null }],
    [
      "{'l': [1, -2.5, 1e3], 't': (1, 'x',), 'e': [], 'd': {}}",
      { l: [1, -2.5, 1000], t: [1, 'x'], e: [], d: {} },
    ],
    ["{'s': 'a\\n\\t\\x41\\u00e9\\U0001f30a\\\\ \\''}", { s: "a\n\tA\u00e9\u{1f30a}\\ '" }],
    ["{1: 'one'}", { 1: 'one' }],
    ["{'__proto__': 1}", JSON.parse('{"__proto__":1}')],
  ]
  const kept = ['{a: 1}', "{'a': f(1)}", "{'a': 1", "{'a' 1}", 'hello', `{'a': ${deep(300)}}`]

  test.each(cases)('%s is read as JSON', (python, value) => {
    expect(JSON.parse(argumentsAfterReading(python))).toEqual(value)
  })

  test.each(kept)('%s stays unchanged', (text) => {
    expect(argumentsAfterReading(text)).toBe(text)
  })
})

function argumentsAfterReading(args: string): string {
  const call = { id: 'c', type: 'function', function: { name: 'edit', arguments: args } }
  const history = [{ role: 'assistant', content: 'x', tool_calls: [call] }]
  const { messages } = readTranscript(JSON.stringify({ history }))
  const [message] = messages as { tool_calls: { function: { arguments: string } }[] }[]
  return message?.tool_calls[0]?.function.arguments ?? ''
}
