// Tools keep the encoding of a file, or refuse with a message and leave the file unchanged.

import { appendToFile, editFile, formatRead, prependToFile, updateSection } from 'trimtab/files'
import { createIndex } from 'trimtab/index'
import { detectLanguage, outline } from 'trimtab/outline'
import { createFileReader, expand, readFile } from 'trimtab/reading'
import { createTools } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'

type Encode = (text: string) => Uint8Array
const utf8: Encode = (text) => new TextEncoder().encode(text)
const utf16: Encode = (text) => new Uint8Array(new Uint16Array([...text].flatMap(unitsOf)).buffer)
const unitsOf = (character: string) => character.split('').map((unit) => unit.charCodeAt(0))
const swapped: Encode = (text) => {
  const bytes = utf16(text)
  for (let at = 0; at < bytes.length; at += 2) bytes.subarray(at, at + 2).reverse()
  return bytes
}
const latin1: Encode = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0))

const ENCODINGS: [name: string, encode: Encode, mark: string, told?: 'latin-1'][] = [
  ['UTF-8', utf8, ''],
  ['UTF-8 with a byte order mark', utf8, '\ufeff'],
  ['UTF-16, low byte first', utf16, '\ufeff'],
  ['UTF-16, high byte first', swapped, '\ufeff'],
  ['Latin-1', latin1, '', 'latin-1'],
]
const BODY = '# Zürich\r\n\r\nGrüße aus Köln\r\n\r\n## Ende\r\nä\r\n'

describe.each(ENCODINGS)('a file in %s', (_, encode, mark, told) => {
  const bytes = encode(mark + BODY)
  const of = (text: string) => encode(mark + text)
  const encoding = told && { encoding: told }

  test('keeps its encoding when it is edited', () => {
    const file = { path: 'a.md', ...encoding }
    expect(editFile(bytes, { ...file, oldString: 'Köln', newString: 'Genève' }).content).toEqual(
      of(BODY.replace('Köln', 'Genève')),
    )
    expect(appendToFile(bytes, { ...file, text: 'ö\r\n' }).content).toEqual(of(`${BODY}ö\r\n`))
    expect(prependToFile(bytes, { ...file, text: 'ö\r\n' }).content).toEqual(of(`ö\r\n${BODY}`))
    const section = updateSection(bytes, { ...file, header: 'Ende', text: 'é' })
    expect(section.content).toEqual(of(BODY.replace('ä\r\n', 'é\r\n')))
  })

  test('is decoded by reads, views and expand', async () => {
    const file = { path: 'a.md', content: bytes, ...encoding }
    expect(formatRead(file)).toMatchObject({ malformed: false, totalLines: 6, byteOrderMark: mark !== '' })
    expect(formatRead(file).text).toContain('     3\tGrüße aus Köln')
    expect(await readFile(file)).toMatchObject({ malformed: false, totalLines: 6 })
    expect((await readFile(file)).text).toContain('   3 | Grüße aus Köln')
    expect((await expand({ ...file, section: 'Ende' })).text).toContain('   6 | ä')
  })

  test('keeps its encoding when write_file replaces it', async () => {
    const workspace = createWorkspace({ memory: { 'a.md': bytes } })
    const tools = createTools(workspace, told && { encodingOf: () => told })
    const write = (content: string) =>
      tools.find(({ name }) => name === 'write_file')?.execute({ path: 'a.md', content })
    for (const content of ['Füße\r\n', '', `${mark}Maß\n`]) {
      expect((await write(content))?.isError).toBe(false)
      expect((await workspace.readFile('a.md')).bytes).toEqual(
        of(content.slice(content.startsWith(mark) ? mark.length : 0)),
      )
    }
    const missing = await write('文')
    expect(missing?.isError).toBe(told === 'latin-1')
    if (told === 'latin-1') expect(missing?.content).toContain('it is latin-1, and the encoding has no')
  })

  test('can be edited, searched and indexed by tools', async () => {
    const workspace = createWorkspace({ memory: { 'a.md': bytes } })
    const index = createIndex()
    const tools = createTools(workspace, {
      index,
      reader: createFileReader(),
      ...(told && { encodingOf: () => told }),
    })
    const run = async (name: string, args: object) => {
      const result = await tools.find((tool) => tool.name === name)?.execute(args)
      expect(result?.isError, result?.content).toBe(false)
      return result?.content
    }
    await run('read_file', { file_paths: ['a.md'] })
    expect(index.content('a.md')).toBe(BODY)
    expect(await run('search', { pattern: 'Grüße' })).toBe('a.md:3: Grüße aus Köln')
    await run('edit_file', { path: 'a.md', old_string: 'Köln', new_string: 'Genève' })
    await run('append_to_file', { path: 'a.md', content: 'ö\r\n' })
    const after = `${BODY.replace('Köln', 'Genève')}ö\r\n`
    expect((await workspace.readFile('a.md')).bytes).toEqual(of(after))
    expect(index.content('a.md')).toBe(after)
    expect(await run('read_lines', { path: 'a.md', start: 3, end: 3 })).toContain('Grüße aus Genève')
  })
})

describe('bytes that are not valid in the encoding', () => {
  const half = utf16('\ufeffa\nb').slice()
  half.set([0, 0xd8], 2)
  const cases: [string, Uint8Array, string][] = [
    ['UTF-16', half, '[Bytes that are not valid UTF-16 are shown as U+FFFD]'],
    ['UTF-8', latin1('é\nb'), '[Bytes that are not valid UTF-8 are shown as U+FFFD]'],
  ]

  test.each(cases)('are reported alike by reads and views: %s', async (_, content, notice) => {
    const read = formatRead({ path: 'a.txt', content })
    expect(read.malformed).toBe(true)
    expect(read.text).toContain(notice)
    const view = await readFile({ path: 'a.txt', content })
    expect(view.malformed).toBe(true)
    expect(view.text).toContain(notice)
    expect(formatRead({ path: 'a.txt', content, offset: 2 }).malformed).toBe(false)
  })

  test('stay unchanged in an edit, or the edit is refused', () => {
    const add = (content: Uint8Array, text: string) => appendToFile(content, { path: 'a.txt', text })
    expect(add(half, 'x')).toMatchObject({ isError: true, code: 'encoding', content: half })
    expect(add(latin1('é'), 'ö')).toMatchObject({ isError: true, code: 'encoding' })
    expect(add(latin1('é'), 'x').content).toEqual(latin1('éx'))
    const edited = editFile(latin1('é'), { path: 'a.txt', oldString: '\ufffd', newString: 'e' })
    expect(edited).toMatchObject({ isError: true, code: 'not_found' })
    expect(edited.isError && edited.message).toContain('not valid UTF-8')
  })

  test('are not written: a character outside the encoding is refused', () => {
    const options = { path: 'a.txt', text: '€', encoding: 'latin-1' } as const
    expect(appendToFile(latin1('a'), options)).toMatchObject({ isError: true, code: 'encoding' })
  })
})

test('a byte order mark overrides the given encoding', async () => {
  const content = utf8('\ufeffa\0b\n')
  const file = { path: 'a.txt', content, encoding: 'utf-16le' } as const
  expect(formatRead(file).binary).toBe('unknown type')
  await expect(readFile(file)).rejects.toThrow('is binary (unknown type)')
})

test.each([
  ['UTF-8', utf8],
  ['UTF-16', utf16],
])('the second of two byte order marks is text: %s', async (_, encode) => {
  const content = encode('\ufeff\ufeff# A\nb\n')
  expect(formatRead({ path: 'a.md', content }).text).toContain('     1\t\ufeff# A')
  expect((await readFile({ path: 'a.md', content })).text).toContain('   1 | \ufeff# A')
  expect((await expand({ path: 'a.md', content, section: 1 })).text).toContain('   1 | \ufeff# A')
  expect((await outline('a.md', content)).text).toContain('     1\t\ufeff# A')
})

test.each([
  ['UTF-8', utf8],
  ['UTF-16, low byte first', utf16],
  ['UTF-16, high byte first', swapped],
])('detectLanguage ignores a byte order mark: %s', (_, encode) => {
  expect(detectLanguage('run', encode('\ufeff#!/usr/bin/env python3\n'))).toBe('python')
  expect(detectLanguage('a.h', encode('\ufeff#pragma once\nnamespace a {\n}\n'))).toBe('cpp')
})

test('a text of the host is text, whatever it holds', async () => {
  const content = '%PDF-\0é\n'
  expect(formatRead({ path: 'a.txt', content })).toMatchObject({
    binary: null,
    malformed: false,
    totalLines: 1,
  })
  // The encoding is that of bytes.
  expect(formatRead({ path: 'a.txt', content, encoding: 'latin-1' }).text).toContain('é')
  expect((await readFile({ path: 'a.txt', content })).text).toContain('%PDF-\0é')
  expect((await outline('a.txt', content)).text).toContain('%PDF-\0é')
  expect(editFile(content, { path: 'a.txt', oldString: 'é', newString: 'e' }).content).toBe('%PDF-\0e\n')
})

describe('a file that a tool changes or makes is still text for reads', () => {
  const text = (content: string) => ({ path: 'a.md', content })
  test.each<[what: string, name: string, args: object, said: string]>([
    [
      'edit_file',
      'edit_file',
      { path: 'a.md', old_string: 'text', new_string: 'te\0xt' },
      '(a NUL character)',
    ],
    ['append_to_file', 'append_to_file', text('b\0'), '(a NUL character)'],
    ['append_to_file of a new file', 'append_to_file', { path: 'b.md', content: '\0' }, '(a NUL character)'],
    ['prepend_to_file', 'prepend_to_file', text('\0'), '(a NUL character)'],
    ['prepend_to_file with a header', 'prepend_to_file', text('%PDF-1.4\n'), '(PDF document)'],
    ['update_section', 'update_section', { ...text('a\0b'), header: '# A' }, '(a NUL character)'],
    ['write_file', 'write_file', text('# B\0\n'), '(a NUL character)'],
    ['write_file of a new file', 'write_file', { path: 'b.md', content: 'a\0' }, '(a NUL character)'],
    ['write_file of control characters', 'write_file', text('\u0001\u0002ab'), '(unknown type)'],
  ])('%s', async (_, name, args, said) => {
    const before = utf8('# A\ntext\n')
    const workspace = createWorkspace({ memory: { 'a.md': before } })
    const made = await createTools(workspace)
      .find((tool) => tool.name === name)
      ?.execute(args)
    const { path } = args as { path: string }
    expect(made).toMatchObject({
      isError: true,
      content: `Error: ${path} was not written: it would be binary ${said} and could not be read or edited again.`,
    })
    expect((await workspace.readFile('a.md')).bytes).toEqual(before)
    if (path !== 'a.md') await expect(workspace.readFile(path)).rejects.toThrow('no such file')
  })

  test('the functions for edits of texts and bytes refuse it too', () => {
    const nul = { path: 'a.md', text: 'x\0' }
    for (const made of [
      appendToFile('# A\n', nul),
      appendToFile(undefined, nul),
      prependToFile(utf8('# A\n'), nul),
      updateSection('# A\n', { ...nul, header: 'A' }),
      editFile(utf8('# A\n'), { path: 'a.md', oldString: 'A', newString: '\0' }),
    ])
      expect(made).toMatchObject({ isError: true, code: 'binary' })
    // In UTF-16, a NUL is a character like others.
    expect(appendToFile(utf16('\ufeffa'), nul).content).toEqual(utf16('\ufeffax\0'))
  })
})

test('write_file says that a file was in no known encoding', async () => {
  const workspace = createWorkspace({ memory: { 'a.txt': latin1('é\n'), 'b.txt': latin1('é\n') } })
  const write = createTools(workspace).find(({ name }) => name === 'write_file')
  const said = 'Warning: a.txt was not valid UTF-8 before and is UTF-8 now.'
  expect((await write?.execute({ path: 'a.txt', content: 'ö\n' }))?.content).toContain(said)
  expect((await workspace.readFile('a.txt')).bytes).toEqual(utf8('ö\n'))
  expect((await write?.execute({ path: 'b.txt', content: 'o\n' }))?.content).not.toContain('UTF-8')
})

test('an outline of bytes that are not valid in the encoding says so', async () => {
  const content = latin1('// é\nexport const a = 1\n')
  expect(await outline('a.ts', content)).toMatchObject({ malformed: true })
  expect(await outline('a.ts', content, { encoding: 'latin-1' })).toMatchObject({ malformed: false })
})

test('every function and tool recognises binary files', async () => {
  const files: [Uint8Array, string][] = [
    [utf8('%PDF-1.7\nlong lines of text\n'), 'PDF document'],
    [Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), 'UTF-32 text'],
    [utf16('no mark'), 'unknown type'],
    [utf8('# n\0\nthe text after a NUL\n'), 'unknown type'],
  ]
  for (const [content, kind] of files) {
    const workspace = createWorkspace({ memory: { 'a.bin': content } })
    const tools = createTools(workspace, { index: createIndex(), reader: createFileReader() })
    const run = (name: string, args: object) => tools.find((tool) => tool.name === name)?.execute(args)
    expect(formatRead({ path: 'a.bin', content }).binary).toBe(kind)
    await expect(readFile({ path: 'a.bin', content })).rejects.toThrow(`is binary (${kind})`)
    await expect(expand({ path: 'a.bin', content, section: 1 })).rejects.toThrow(`is binary (${kind})`)
    expect(() => createIndex().add({ path: 'a.bin', content })).toThrow(`is binary (${kind})`)
    expect((await run('search', { pattern: 'n' }))?.content).toBe('No matches.')
    const read = await run('read_file', { file_paths: ['a.bin'] })
    expect(read?.content).toContain(`[Binary file: ${kind}`)
    expect(read?.notIndexed?.[0]?.reason).toBe('binary')
    await expect(outline('a.ts', content)).rejects.toThrow(`is binary (${kind})`)
    for (const [name, args] of [
      ['append_to_file', { content: 'x' }],
      ['prepend_to_file', { content: 'x' }],
      ['edit_file', { old_string: 'n', new_string: 'm' }],
      ['update_section', { header: 'n', content: 'x' }],
      ['write_file', { content: 'x' }],
    ] as const) {
      expect(await run(name, { path: 'a.bin', ...args }), name).toMatchObject({
        isError: true,
        content: `Error: a.bin is binary (${kind}) and was not changed.`,
      })
    }
    expect((await workspace.readFile('a.bin')).bytes).toEqual(content)
  }
})
