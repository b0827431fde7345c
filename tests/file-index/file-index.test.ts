import fc from 'fast-check'
import { TrimtabError } from 'trimtab'
import { createIndex, type FileIndex, type IndexFile } from 'trimtab/index'
import { loadGrammar, outline } from 'trimtab/outline'
import { describe, expect, test } from 'vitest'
import { fileIndex as engine } from '../../js/dist/engine/file-index.js'
import { runs } from '../node/random.js'

const SERVER = 'export function startServer() {\n  return listen(defaultPort)\n}\n'
const PORTS = 'export const defaultPort = 80\n\nexport function listen(port) {\n  return port\n}\n'
const NOTES = '# Notes\n\nThe gateway is slow, so calls are retried.\n'

function filled(): FileIndex {
  const index = createIndex()
  index.add({ path: 'src/server.js', content: SERVER })
  index.add({ path: 'src/ports.js', content: PORTS })
  index.add({ path: 'notes.md', content: NOTES })
  return index
}

const paths = (index: FileIndex, text: string, options = {}) =>
  index.query(text, options).map(({ path }) => path)

test.each([
  ['authenticate', 'authenticate13'],
  ['authenticate2', 'authenticate13'],
  ['where are users stored', 'storeUser'],
  ['user', 'all_users'],
  ['parse http', 'parseHttp2'],
])('the question %s finds %s', (question, name) => {
  using index = createIndex()
  index.add({ path: 'a.ts', content: `export const ${name} = 1\n` })
  expect(index.query(question).map(({ path }) => path)).toEqual(['a.ts'])
})

describe('query', () => {
  test('finds lines by words, and the definitions that they refer to', () => {
    const index = filled()
    const [first] = index.query('start server')
    expect(first).toMatchObject({ path: 'src/server.js', startLine: 1, endLine: 3, name: null })
    expect(first?.text).toBe(SERVER.trimEnd())
    expect(paths(index, 'server', { symbols: false })).toEqual(['src/server.js'])
    expect(paths(index, 'server')).toEqual(['src/server.js', 'src/ports.js'])
    expect(paths(index, 'nowhere')).toEqual([])
    expect(paths(index, 'nowhere', { conversation: 'startServer' })).toContain('src/ports.js')
  })

  test('names the section of a hit', async () => {
    const index = createIndex()
    const content = `class Store {\n  read() {\n    return this.load()\n  }\n}\n`
    const { sections } = await outline('store.ts', content)
    index.add({ path: 'store.ts', content, sections })
    expect(index.query('load')[0]?.name).toBe('Store')
    expect(index.sections('store.ts')).toBe(sections)
  })

  test.each([
    [{ lines: 0 }, 0],
    [{ lines: 2 }, 0],
    [{ lines: 3 }, 1],
    [{ lines: 8 }, 2],
    [{ tokens: 5 }, 0],
    [{ tokens: 20 }, 1],
  ])('stays within a budget of %o', (budget, hits) => {
    expect(filled().query('server', { budget })).toHaveLength(hits)
  })

  test('skips a passage that exceeds the budget instead of cutting it', () => {
    const index = createIndex()
    index.add({ path: 'a', content: 'needle needle\n'.repeat(39) })
    index.add({ path: 'b', content: 'needle\n' })
    expect(paths(index, 'needle', { budget: { lines: 38 } })).toEqual(['b'])
  })
})

describe('files of an index', () => {
  test('can be added, changed and removed', () => {
    const index = filled()
    expect(index.paths()).toEqual(['src/server.js', 'src/ports.js', 'notes.md'])
    expect(index.add({ path: 'notes.md', content: NOTES })).toBe(false)
    expect(index.add({ path: 'notes.md', content: 'nothing' })).toBe(true)
    expect(paths(index, 'gateway')).toEqual([])
    expect(index.remove('notes.md')).toBe(true)
    expect(index.remove('notes.md')).toBe(false)
    expect([index.size, index.has('notes.md'), index.content('notes.md')]).toEqual([2, false, undefined])
  })

  test('are never added when ephemeral', () => {
    const index = filled()
    expect(index.add({ path: 'notes.md', content: 'the password is hunter2', ephemeral: true })).toBe(false)
    expect(index.add({ path: 'new.md', content: 'hunter2', ephemeral: true })).toBe(false)
    const misspelt = { path: 'new.md', content: 'hunter2', ephemerl: true }
    expect(() => index.add(misspelt)).toThrow('did you mean `ephemeral`?')
    expect(paths(index, 'hunter2')).toEqual([])
    expect(index.content('notes.md')).toBe(NOTES)
    expect(index.has('new.md')).toBe(false)
  })

  test('are decoded when given as bytes', () => {
    const index = createIndex()
    index.add({ path: 'a', content: new TextEncoder().encode('Grüße\n') })
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(new Uint16Array([...'needle'].map((c) => c.charCodeAt(0))).buffer),
    ])
    index.add({ path: 'b', content: utf16 })
    expect(paths(index, 'grüße')).toEqual(['a'])
    expect(paths(index, 'needle')).toEqual(['b'])
  })

  test('alone determine the answers, whatever was added before', () => {
    const content = fc.constantFrom(SERVER, PORTS, NOTES, '', 'x\ry', `${SERVER}\n${PORTS}`.repeat(20))
    const step = fc.record({ path: fc.constantFrom('a.js', 'b.js', 'c/d.md'), content: fc.option(content) })
    const answers = (index: FileIndex) => [
      index.query('server gateway port', { budget: { lines: 1000 } }),
      index
        .paths()
        .sort()
        .map((path) => index.digest(path, 'server port', { lines: 7 })),
    ]
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        using index = createIndex()
        const last = new Map<string, string>()
        for (const { path, content } of steps) {
          if (content === null) expect(index.remove(path)).toBe(last.delete(path))
          else if (index.add({ path, content })) last.set(path, content)
          else expect(last.get(path)).toBe(content)
        }
        using fresh = createIndex()
        for (const [path, content] of [...last].reverse()) fresh.add({ path, content })
        expect(answers(index)).toEqual(answers(fresh))
      }),
      runs,
    )
  })

  test('stay intact after a WebAssembly trap in another call', () => {
    const index = filled()
    const before = index.query('server')
    const trap = () => {
      throw new WebAssembly.RuntimeError('unreachable')
    }
    expect(() => engine.enter(trap)).toThrow(expect.objectContaining({ code: 'engine_failed' }))
    expect(index.query('server')).toEqual(before)
    expect(index.remove('src/ports.js')).toBe(true)
    expect(paths(index, 'server')).toEqual(['src/server.js'])
  })

  test('cannot be queried after disposal', () => {
    const index = filled()
    index[Symbol.dispose]()
    index[Symbol.dispose]()
    expect(() => index.query('x')).toThrow(expect.objectContaining({ code: 'disposed' }))
  })
})

describe('queryWithVectors', () => {
  /** Vector components of a text in this test: counts of these words. */
  const MEANINGS = [/slow|late|delay/g, /port|socket/g, /note/gi]
  const vectorOf = (text: string) => [1e-3, ...MEANINGS.map((word) => (text.match(word) ?? []).length)]

  test('finds text by meaning and embeds only changed passages', async () => {
    const batches: number[] = []
    const embed = async (texts: string[]) => {
      batches.push(texts.length)
      return texts.map(vectorOf)
    }
    const index = createIndex({ embed })
    index.add({ path: 'notes.md', content: NOTES })
    index.add({ path: 'ports.js', content: PORTS })
    expect(index.query('delay')).toEqual([])
    const [first] = await index.queryWithVectors('delay')
    expect(first).toMatchObject({ path: 'notes.md', startLine: 1, endLine: 3 })
    expect(batches).toEqual([1, 1, 1])
    await index.queryWithVectors('socket')
    expect(batches).toEqual([1, 1, 1, 1])
    index.add({ path: 'notes.md', content: `${NOTES}\nMore.\n` })
    await index.queryWithVectors('socket')
    expect(batches).toEqual([1, 1, 1, 1, 1, 1])
  })

  test.each([
    ['no list', () => 7],
    ['too few', () => []],
    ['no numbers', (texts: string[]) => texts.map(() => 'x')],
    ['empty', (texts: string[]) => texts.map(() => [])],
    ['not finite', (texts: string[]) => texts.map(() => [Number.NaN])],
    ['of several lengths', (texts: string[]) => texts.map((text) => new Array(text.length).fill(1))],
  ])('refuses vectors that are %s', async (_, embed) => {
    const index = createIndex({ embed: embed as never })
    index.add({ path: 'a', content: 'some text' })
    await expect(index.queryWithVectors('text')).rejects.toMatchObject({
      code: 'invalid_option',
      argument: 'embed',
    })
  })

  test('is refused without an embedding function', async () => {
    await expect(createIndex().queryWithVectors('x')).rejects.toMatchObject({ argument: 'embed' })
  })
})

describe('bytes in a given encoding', () => {
  const source = '#!/usr/bin/env python3\ndef größe():\n    return 1\n'
  const encoded: [IndexFile['encoding'], Uint8Array][] = [
    ['latin-1', Uint8Array.from(source, (char) => char.charCodeAt(0))],
    ['utf-16le', new Uint8Array(Buffer.from(source, 'utf16le'))],
    ['utf-16be', new Uint8Array(Buffer.from(source, 'utf16le').swap16())],
  ]

  test.each(encoded)('%s is decoded by the index and by outlines', async (encoding, content) => {
    const index = createIndex()
    const told = encoding === undefined ? {} : { encoding }
    expect(index.add({ path: 'size', content, ...told })).toBe(true)
    expect(index.content('size')).toBe(source)
    expect(index.query('größe')[0]?.text).toContain('def größe():')
    expect(index.digest({ path: 'size', content, ...told }, 'größe').text).toContain('def größe():')
    expect(await outline('size', content, told)).toEqual(await outline('size', source))
    const grammar = await loadGrammar('python')
    expect(grammar.outline(content, told)).toEqual(grammar.outline(source))
  })

  test('UTF-16 without a byte order mark is refused as binary if no encoding is given', () => {
    const [, [, content]] = encoded as [unknown, [unknown, Uint8Array]]
    expect(caught(() => createIndex().add({ path: 'size', content }))).toMatchObject({ argument: 'content' })
  })

  test('an unknown encoding is refused', async () => {
    const told = { encoding: 'ebcdic' } as never as { encoding: 'utf-8' }
    const failure = { code: 'invalid_option', argument: 'encoding' }
    expect(caught(() => createIndex().add({ path: 'size', content: source, ...told }))).toMatchObject(failure)
    await expect(outline('size', source, told)).rejects.toMatchObject(failure)
  })
})

describe('invalid arguments of an index', () => {
  const index = filled()
  const add = (file: unknown) => () => index.add(file as IndexFile)
  const cases: [string, () => unknown, string][] = [
    ['an invalid file', add(null), 'file'],
    ['a missing path', add({ content: '' }), 'path'],
    ['missing content', add({ path: 'a' }), 'content'],
    ['an invalid list of sections', add({ path: 'a', content: '', sections: 1 }), 'sections'],
    ['an invalid section', add({ path: 'a', content: '', sections: [null] }), 'sections[0]'],
    [
      'an invalid line number',
      add({ path: 'a', content: '', sections: [{ startLine: 0, endLine: 1 }] }),
      'sections[0].startLine',
    ],
    [
      'an invalid name',
      add({ path: 'a', content: '', sections: [{ name: 1, startLine: 1, endLine: 1 }] }),
      'sections[0].name',
    ],
    ['an invalid path', () => index.remove(1 as never), 'path'],
    ['an invalid query text', () => index.query(undefined as never), 'text'],
    ['an invalid conversation', () => index.query('a', { conversation: 1 as never }), 'conversation'],
    ['an invalid budget', () => index.query('a', { budget: 5 as never }), 'budget'],
    ['two budgets', () => index.query('a', { budget: { lines: 1, tokens: 1 } as never }), 'budget'],
    ['a negative budget', () => index.query('a', { budget: { lines: -1 } }), 'budget'],
    ['an unknown option', () => index.query('a', { budgets: 1 } as never), 'budgets'],
    ['an invalid number of lines', () => index.digest('notes.md', '', { lines: 1.5 }), 'lines'],
    ['a missing conversation', () => index.digest('notes.md', undefined as never), 'conversation'],
    ['an invalid embedding function', () => createIndex({ embed: 1 as never }), 'embed'],
    ['an unknown setting', () => createIndex({ embedding: 1 } as never), 'embedding'],
  ]
  test.each(cases)('%s is refused and the argument is named', (_, call, argument) => {
    const failure = caught(call)
    expect(failure).toBeInstanceOf(TrimtabError)
    expect(failure).toMatchObject({ code: 'invalid_option', argument })
  })

  test('the digest of a missing file fails with not_found', () => {
    expect(caught(() => index.digest('gone.ts', ''))).toMatchObject({ code: 'not_found', argument: 'path' })
  })
})

function caught(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}
