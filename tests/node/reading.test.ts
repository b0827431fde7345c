import fc from 'fast-check'
import { cleanupEphemeralMessages, dedupeToolResults, TrimtabError } from 'trimtab'
import {
  type FormatReadsOptions,
  formatRead,
  formatReads,
  type ReadSuccess,
  readTokenLimit,
} from 'trimtab/files'
import { describe, expect, test } from 'vitest'
import { runs } from './random.js'

const encoder = new TextEncoder()
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('')

/** The tool's answer, which must be a success. */
function success(options: FormatReadsOptions): ReadSuccess {
  const result = formatReads(options)
  if (result.isError) throw new Error(result.error)
  return result
}

/** The tool as called in the document: one file, and the document's context of 16K tokens. */
const limits = { contextSize: 16_000 }
const reading = (content: string) => ({ files: [{ path: 'test.ts', content }], limits })
const tool = (content: string, rest: Partial<FormatReadsOptions> = {}) =>
  formatReads({ ...reading(content), ...rest })

describe('formatRead, test cases of specification 1', () => {
  const read = (content: string, offset: number, limit?: number) =>
    formatRead({ path: 'test.ts', content, offset, ...(limit === undefined ? {} : { limit }) }).text

  test('1: explains an offset beyond the file size', () => {
    expect(read(lines(500), 1000)).toBe(
      '=== test.ts ===\n[Cannot read from offset 1000: file only has 500 lines. Use offset=1 to start from the beginning.]',
    )
    expect(read(lines(500), 12000, 100)).toBe(
      '=== test.ts ===\n[Cannot read from offset 12000: file only has 500 lines. Use offset=1 to start from the beginning, or offset=401 to read the last 100 lines.]',
    )
  })

  test('2: explains an offset just after the last line', () => {
    expect(read(lines(100), 101)).toContain('[Cannot read from offset 101: file only has 100 lines.')
  })

  test('3: shows the lines of a valid offset and limit', () => {
    const text = read(lines(100), 50, 25).split('\n')
    expect(text[1]).toBe('[Showing lines 50-74 of 100 total lines]')
    expect(text.slice(2)).toEqual(Array.from({ length: 25 }, (_, i) => `    ${50 + i}\tline ${50 + i}`))
  })

  test('4: reads to the end', () => {
    const text = read(lines(100), 90).split('\n')
    expect(text[1]).toBe('[Showing lines 90-100 of 100 total lines]')
    expect([text[2], text.at(-1), text.length]).toEqual(['    90\tline 90', '   100\tline 100', 13])
  })

  test('5: explains that the file is empty', () => {
    expect(read('', 1)).toBe(
      '=== test.ts ===\n[Cannot read from offset 1: file only has 0 lines. It is empty.]',
    )
  })
})

test.each([
  ['many short lines', lines(50_000)],
  ['long lines', `${'x'.repeat(900)}\n`.repeat(40)],
  ['short lines before long ones', `${lines(30)}${`${'y'.repeat(3000)}\n`.repeat(30)}`],
  ['one huge line', 'z'.repeat(100_000)],
])('a read beyond the end proposes only lines that may be read: %s', (_, content) => {
  const total = content.split(/\n(?=.)/).length
  for (const limit of [0, 10, 200, 100_000]) {
    const hints = success({ ...reading(content), offset: total + 5, limit }).content
    const proposed = [...hints.matchAll(/offset=(\d+)(?:, limit=(\d+))? to (start|read)/g)]
    expect(proposed).toHaveLength(limit === 0 ? 1 : 2)
    for (const [hint, offset, count, end] of proposed) {
      const followed = { offset: Number(offset), limit: Number(count ?? limit) }
      const { content: shown } = success({ ...reading(content), ...followed })
      expect(shown, hint).toMatch(new RegExp(`^ *${end === 'start' ? 1 : total}\t`, 'm'))
    }
  }
})

describe('an ephemeral read, test cases of specification 2', () => {
  const large = lines(1500)
  const ask = { role: 'user', content: 'What is in it?' }
  const answer = { role: 'assistant', content: 'A count.' }
  const call = (id: string) => ({
    role: 'assistant',
    content: '',
    tool_calls: [
      { id, type: 'function', function: { name: 'read', arguments: '{"file_paths":["large.ts"]}' } },
    ],
  })
  /** A result as the document's orchestrator adds it to the conversation. */
  const result = (id: string, read: ReadSuccess) => ({
    role: 'tool',
    tool_call_id: id,
    name: 'read',
    content: read._ephemeral ? `${read._ephemeral_warning}\n\n${read.content}` : read.content,
    ...(read._ephemeral ? { metadata: { ephemeral: true } } : {}),
  })
  const ephemeral = () => success({ files: [{ path: 'large.ts', content: large }], limits, ephemeral: true })
  const turn = () => [ask, call('c1'), result('c1', ephemeral()), answer]

  test('1 and 2: loads the file, warns, and is removed after the turn', () => {
    expect(formatReads({ files: [{ path: 'large.ts', content: large }], limits }).isError).toBe(true)
    const read = ephemeral()
    expect(read.content).toContain('  1500\tline 1500')
    expect(read._ephemeral).toBe(true)
    expect(read._ephemeral_warning).toBe(
      '[EPHEMERAL READ: This content will be removed from conversation after current turn. If you need it later, use a regular read or save key information in your response.]',
    )
    const after = cleanupEphemeralMessages([...turn(), ask])
    expect(JSON.stringify(after)).not.toContain('line 700')
    expect(JSON.stringify(after)).toContain('A count.')
  })

  test('3: is not replaced as a duplicate', () => {
    const read = (ephemeral: boolean) =>
      success({ files: [{ path: 'test.ts', content: lines(100) }], limits, ephemeral })
    const history = [
      ask,
      call('c1'),
      result('c1', read(false)),
      answer,
      ask,
      call('c2'),
      result('c2', read(true)),
    ]
    expect(dedupeToolResults(history)).toEqual(history)
  })

  test('4: has a token limit of its own', () => {
    // 45,000 bytes are 12,857 estimated tokens.
    const huge = 'x'.repeat(45_000)
    const refused = tool(huge)
    expect(refused).toEqual({
      isError: true,
      error:
        'File(s) too large: estimated 12857.1 tokens exceeds limit of 3000. Use grep/glob to search for specific content, or use limit/offset for targeted reading. Or use ephemeral=true to read larger files temporarily (content removed after current turn). Example: read(file_paths=["test.ts"], limit=100)',
      error_type: 'validation_error',
      suggestion: 'Use targeted reading with limit parameter or search within files first using grep',
    })
    expect(tool(huge, { ephemeral: true }).isError).toBe(false)
    expect(tool('x'.repeat(60_000), { ephemeral: true })).toMatchObject({
      isError: true,
      error: expect.not.stringContaining('ephemeral=true'),
    })
    expect(readTokenLimit(limits)).toBe(3000)
    expect(readTokenLimit({ contextSize: 10_000 })).toBe(2000)
    expect(readTokenLimit(limits, { ephemeral: true })).toBe(14_400)
    expect(readTokenLimit({ ...limits, purpose: 'user-named' })).toBe(15_200)
    expect(readTokenLimit({ ...limits, purpose: 'context-file' })).toBe(6400)
    expect(readTokenLimit({ ...limits, ephemeralReadMaxPercent: 0.8 }, { ephemeral: true })).toBe(12_800)
    expect(readTokenLimit({ ...limits, ephemeralReadEnabled: false }, { ephemeral: true })).toBe(3000)
  })

  test('5 and 6: is absent from a saved session and from a compaction', () => {
    const whole = turn()
    expect(JSON.stringify(whole)).toContain('line 700')
    const saved = cleanupEphemeralMessages([...whole, ask])
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved)
    expect(JSON.stringify(saved)).not.toContain('line 700')
    expect(saved).toHaveLength(whole.length + 1)
  })
})

describe('formatReads of several files', () => {
  test('reports each failed file separately', () => {
    const files = [
      { path: 'a', content: 'x\n' },
      { path: 'b', error: new Error("ENOENT: no such file or directory, open 'b'") },
      { path: 'c', content: new Uint8Array([0x79]) },
    ]
    expect(formatReads({ files })).toMatchObject({
      isError: false,
      content:
        "=== a ===\n     1\tx\n\n=== b ===\nError: ENOENT: no such file or directory, open 'b'\n\n=== c ===\n     1\ty",
      files_read: 2,
      files_failed: 1,
      partial_failure: true,
    })
    expect(formatReads({ files: [files[1] as { path: string; error: unknown }] })).toEqual({
      isError: true,
      error: "Failed to read 1 file: b: ENOENT: no such file or directory, open 'b'",
      error_type: 'file_error',
    })
    expect(formatReads({ files: [] })).toEqual({
      isError: true,
      error: 'file_paths must be a non-empty array',
      error_type: 'validation_error',
      suggestion: 'Example: read(file_paths=["src/main.ts", "package.json"])',
    })
  })

  test('counts only what a slice shows, with the counter of the host', () => {
    const counted: string[] = []
    const counter = (text: string) => {
      counted.push(text)
      return text.length
    }
    const refused = tool(lines(9), { limit: 1, limits: { contextSize: 100 }, counter })
    expect(counted.slice(0, 1)).toEqual([
      '=== test.ts ===\n[Showing lines 1-1 of 9 total lines]\n     1\tline 1',
    ])
    const tokens = counted[0]?.length
    expect(refused).toMatchObject({
      isError: true,
      error: expect.stringContaining(`estimated ${tokens}.0 tokens`),
    })
    counted.length = 0
    // A long text is counted by samples of equal length, which are extrapolated.
    const long = formatReads({
      files: [{ path: 'p', content: 'x'.repeat(1_000_000) }],
      offset: -1,
      maxLineLength: 1_000_000,
      limits: { contextSize: 100 },
      counter,
    })
    expect(counted.slice(0, 3).map((text) => text.length)).toEqual([20_000, 20_000, 20_000])
    expect(long).toMatchObject({ error: expect.stringContaining('estimated 1000017.0 tokens') })
  })
})

/** Files that are hard for a reader. */
const hostile: Record<string, Uint8Array> = Object.fromEntries(
  Object.entries({
    empty: '',
    'one newline': '\n',
    'only newlines': '\n\n\n',
    'no final newline': 'a\nb',
    crlf: 'a\r\nb\r\n',
    'classic mac': 'a\rb\rc',
    mixed: 'a\r\nb\nc\rd\n',
    'progress bar': '10%\r20%\r30%\ndone\n',
    'byte order mark': '\u{FEFF}a\nb\n',
    'two marks': '\u{FEFF}\u{FEFF}a\n',
    separators: 'a\u{2028}b\u{2029}c\u{85}d\n',
    wide: '\t世界\t\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}\n',
    combining: `${'e\u{301}'.repeat(5000)}\n`,
    zalgo: `a${'\u{301}'.repeat(5000)}\n`,
    'a long line': `${'x'.repeat(700_000)}\nend\n`,
    'a long line of pairs': `${'\u{1F600}'.repeat(200_000)}\nend`,
    'many lines': lines(100_000),
    'like our own text':
      '=== p ===\n[Showing lines 1-2 of 3 total lines]\n     9\tx ... [line of 9 chars: read on]\n',
    'a late NUL': `${'a\n'.repeat(5000)}\0\n`,
  }).map(([name, text]) => [name, encoder.encode(text)]),
)
hostile['Latin-1'] = Uint8Array.from('caf\xe9\n', (c) => c.charCodeAt(0))
hostile['broken UTF-8'] = new Uint8Array([0x80, 0xf0, 0x9f, 0x0a, 0xed, 0xa0, 0x80, 0x0a])

/** Reads a whole file page by page and follows the hints for long lines, as a model would. */
function rebuilt(content: Uint8Array, limit: number): string {
  const parts: string[] = []
  let offset = 1
  for (;;) {
    const read = formatRead({ path: 'p', content, offset, limit })
    const shown = read.shown[0]
    if (shown === undefined) break
    const numbered = read.text.split('\n').slice(-(shown.end - shown.start + 1))
    numbered.forEach((line, i) => {
      parts.push(wholeLine(content, offset + i, line.slice(line.indexOf('\t') + 1)))
    })
    offset = shown.end + 1
  }
  const { lineEnding, finalLineEnd } = formatRead({ path: 'p', content, limit: 1 })
  const end = lineEnding === 'crlf' ? '\r\n' : lineEnding === 'cr' ? '\r' : '\n'
  return parts.join(end) + (finalLineEnd ? end : '')
}

function wholeLine(content: Uint8Array, number: number, line: string): string {
  let whole = ''
  let rest = line
  for (;;) {
    const hint = / \.\.\. \[line of \d+ chars: read on with offset=(\d+), limit=(\d+), column=(\d+)\]$/.exec(
      rest,
    )
    if (hint === null) return whole + rest
    const [offset, limit, column] = hint.slice(1).map(Number) as [number, number, number]
    expect(offset).toBe(number)
    whole += rest.slice(0, hint.index)
    const { text } = formatRead({ path: 'p', content, offset, limit, column, maxLineLength: 100_000 })
    const last = text.slice(text.lastIndexOf('\n') + 1)
    rest = last.slice(last.indexOf('\t') + 1)
  }
}

describe('hostile files', () => {
  test.each(Object.keys(hostile))('%s: consecutive pages add up to the file', (name) => {
    const content = hostile[name] as Uint8Array
    // Like the reader, the decoder drops one byte order mark and shows invalid bytes as U+FFFD.
    const text = new TextDecoder().decode(content)
    expect(rebuilt(content, content.length > 500_000 ? 50_000 : 7)).toBe(text)
  })

  test.each(Object.keys(hostile))('%s: reads the same from bytes, a reader and a string', (name) => {
    const bytes = hostile[name] as Uint8Array
    const reader = (target: Uint8Array, position: number) => {
      const piece = bytes.subarray(position, position + Math.min(target.length, 99_991))
      target.set(piece)
      return piece.length
    }
    const options = { path: 'p', offset: -3, limit: 2, column: 2 }
    const read = formatRead({ ...options, content: bytes })
    expect(formatRead({ ...options, content: reader })).toEqual(read)
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    const { bytes: _size, malformed, ...same } = read
    if (!malformed) expect(formatRead({ ...options, content: text })).toMatchObject(same)
  })

  test('binary files are described and not shown', () => {
    const image = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])
    expect(formatRead({ path: 'a.png', content: image })).toMatchObject({
      text: '=== a.png ===\n[Binary file: PNG image, 12 bytes. Its content is not shown.]',
      binary: 'PNG image',
      encoding: null,
    })
  })

  test('the size of a binary file is found without reading all of it', () => {
    let reads = 0
    const content = (target: Uint8Array, position: number) => {
      reads++
      const length = Math.max(0, Math.min(target.length, 2 ** 33 - position))
      target.fill(0, 0, length)
      return length
    }
    expect(formatRead({ path: 'p', content }).bytes).toBe(2 ** 33)
    expect(reads).toBeLessThan(100)
  })

  test('UTF-16 is read as text', () => {
    const content = new Uint8Array(2 + 2 * 4)
    new Uint16Array(content.buffer).set([0xfeff, 0x61, 0x0a, 0xd83d, 0xde00])
    expect(formatRead({ path: 'p', content })).toMatchObject({
      text: '=== p ===\n     1\ta\n     2\t\u{1F600}',
      encoding: 'utf-16le',
      byteOrderMark: true,
    })
  })

  test('a lone surrogate in a string is shown as U+FFFD, and noticed', () => {
    const { text, malformed } = formatRead({ path: 'p', content: 'a\ud800' })
    expect(text).toBe('=== p ===\n[Bytes that are not valid UTF-8 are shown as U+FFFD]\n     1\ta\u{FFFD}')
    expect(malformed).toBe(true)
  })
})

test('formatRead shows the requested lines, for any offset and limit', () => {
  const part = fc.constantFrom('a', 'é', '\u{1F600}', '\n', '\n', '\r', '\t')
  const text = fc.array(part, { maxLength: 40 }).map((parts) => `x${parts.join('')}\n`)
  fc.assert(
    fc.property(text, fc.integer({ min: -20, max: 20 }), fc.nat({ max: 6 }), (content, offset, limit) => {
      const all = content.slice(0, -1).split('\n')
      const isCrlf = all.every((line) => line.endsWith('\r'))
      const start = offset < 0 ? Math.max(0, all.length + offset) : Math.max(0, offset - 1)
      const expected = all.slice(start, limit === 0 ? undefined : start + limit)
      const { text, totalLines } = formatRead({ path: 'p', content, offset, limit })
      const numbered = text.split('\n').filter((line) => /^ *\d+\t/.test(line))
      expect(totalLines).toBe(all.length)
      expect(numbered).toEqual(
        expected.map(
          (line, i) => `${String(start + i + 1).padStart(6)}\t${isCrlf ? line.slice(0, -1) : line}`,
        ),
      )
    }),
    runs,
  )
})

test('formatRead reads a large file once, and its end once more', () => {
  const line = encoder.encode(`${'x'.repeat(63)}\n`)
  const size = 64 << 20
  let read = 0
  const content = (target: Uint8Array, position: number) => {
    const length = Math.min(target.length, size - position)
    for (let at = 0; at < length; at += line.length) target.set(line.subarray(0, length - at), at)
    read += length
    return length
  }
  const result = formatRead({ path: 'p', content, offset: -50, limit: 50 })
  expect(result).toMatchObject({ totalLines: size / 64, bytes: size, lineEnding: 'lf' })
  expect(result.shown).toEqual([{ start: size / 64 - 49, end: size / 64 }])
  expect(read).toBeLessThan(size * 1.02)
})

interface Asked {
  limits?: object
}

describe('invalid options of formatRead', () => {
  const read = (options: object) => formatRead({ path: 'p', content: 'a', ...options })
  const cases: [string, object][] = [
    ['offset', { offset: Number.NaN }],
    ['offset', { offset: 1.5 }],
    ['limit', { limit: -1 }],
    ['limit', { limit: 10n }],
    ['maxLineLength', { maxLineLength: '9' }],
    ['ranges', { ranges: 3 }],
    ['ranges', { ranges: [{}] }],
    ['path', { path: 5 }],
    ['content', { content: null }],
    ['content', { content: () => -1 }],
    ['content', { content: () => 1e9 }],
  ]
  test.each(cases)('are refused as %s: %o', (argument, options) => {
    expect(() => read(options)).toThrow(TrimtabError)
    expect(() => read(options)).toThrow(expect.objectContaining({ code: 'invalid_option', argument }))
  })

  test('are refused if they contradict each other', () => {
    for (const [argument, options] of [
      ['column', { column: 0 }],
      ['maxLineLength', { maxLineLength: 0 }],
      ['ranges', { ranges: [{ start: 5, end: 4 }] }],
      ['ranges', { ranges: [{ start: 1 }], limit: 5 }],
      ['unknown', { unknown: 1 }],
    ] as const) {
      expect(() => read(options)).toThrow(expect.objectContaining({ code: 'invalid_option', argument }))
    }
    expect(() => readTokenLimit({ contextSize: -1 })).toThrow(
      expect.objectContaining({ argument: 'contextSize' }),
    )
    expect(() => readTokenLimit({ contextSize: 1, ephemeralReadMaxPercent: 2 })).toThrow(/from 0 to 1/)
  })

  test.each<[string, object, string]>([
    [
      'purpose',
      { limits: { purpose: 'user' } },
      'limits: purpose must be one of tool, user-named, context-file',
    ],
    [
      'ephemeralReadEnabled',
      { limits: { ephemeralReadEnabled: 'yes' } },
      'must be true or false, found "yes"',
    ],
    ['readMaxTokens', { limits: { readMaxTokens: '9' } }, 'must be a whole number from 0 to'],
    ['ephemeralReadMaxPercent', { limits: { ephemeralReadMaxPercent: '1' } }, 'must be a number from 0 to 1'],
    ['contextSize', { limits: { contextSize: undefined } }, 'contextSize must be a whole number'],
    ['a', { limits: { a: 1 } }, 'limits: unknown field `a`; known are contextSize'],
    ['ranges', { ranges: [{}] }, 'ranges must be an array of {start, end}, found {}'],
    ['ranges', { ranges: ['1-2'] }, 'ranges must be an array of {start, end}, found "1-2"'],
    ['start', { ranges: [{ start: '1' }] }, 'ranges[0]: start must be a whole number, found "1"'],
    ['end', { ranges: [{ start: 1, end: '2' }] }, 'ranges[0]: end must be a whole number, found "2"'],
    ['reason', { ranges: [{ start: 1, reason: '\ud83d' }] }, 'ranges[0]: unknown field `reason`'],
  ])(
    'are named in words, not by a parser: %s of %j',
    (argument, { limits: given, ...options }: Asked, words) => {
      const limits = given && { contextSize: 1000, ...given }
      const files = [{ path: 'p', content: 'a' }]
      const runs = [
        () => formatReads({ files, limits, ...options } as never),
        ...(limits === undefined ? [() => read(options)] : [() => readTokenLimit(limits as never)]),
      ]
      for (const run of runs) {
        expect(run).toThrow(expect.objectContaining({ code: 'invalid_option', argument }))
        expect(run).toThrow(words)
      }
    },
  )

  test('may be null where JSON has it for what is absent', () => {
    const limits = { contextSize: 10_000, readMaxTokens: null, purpose: null } as never
    expect(readTokenLimit(limits)).toBe(2000)
    expect(read({ ranges: [{ start: 1, end: null }] }).text).toBe('=== p ===\n     1\ta')
  })

  test('errors of host functions are passed on, and the next call works', () => {
    const own = new Error('EIO')
    const content = () => {
      throw own
    }
    expect(() => read({ content })).toThrow(own)
    const files = [{ path: 'p', content: lines(5) }]
    const counter = () => {
      throw own
    }
    expect(() => formatReads({ files, limit: 1, limits, counter })).toThrow(own)
    expect(() => formatReads({ files, limit: 1, limits, counter: () => Number.NaN })).toThrow(/counter/)
    expect(read({}).text).toBe('=== p ===\n     1\ta')
  })
})
