import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { TrimtabError } from 'trimtab'
import { appendToFile, editFile, prependToFile, updateSection } from 'trimtab/files'
import { afterAll, describe, expect, test } from 'vitest'
import { runs } from './random.js'

const path = 'workspace.md'
const encoder = new TextEncoder()

/** Few different pieces, so that texts repeat, overlap and nearly match. */
const pieces = [
  'a',
  'b',
  'aa',
  ' ',
  '\t',
  '\n',
  '\r\n',
  'é',
  '\u{1F600}',
  '\u{FEFF}',
  '\0',
  '$&',
  "$'",
  '\\n',
]
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(''))

/** Reference implementation of the edit with JavaScript's string functions. */
function model(content: string, old: string, replacement: string, all: boolean): string | undefined {
  const first = content.indexOf(old)
  if (old === '' || first === -1 || old === replacement) return undefined
  if (all) return content.split(old).join(replacement)
  if (content.lastIndexOf(old) !== first) return undefined
  return content.slice(0, first) + replacement + content.slice(first + old.length)
}

describe('editFile', () => {
  test('edits and reports with the specified messages', () => {
    const content = 'Status: Initializing\nPhase: 1\nPhase: 1\n'
    const edit = (oldString: string, newString: string) => editFile(content, { path, oldString, newString })
    expect(edit('Status: Initializing', 'Status: Phase 2 complete')).toEqual({
      isError: false,
      content: 'Status: Phase 2 complete\nPhase: 1\nPhase: 1\n',
      message: 'Edited workspace.md: replaced 20 chars with 24 chars',
      diff: '--- workspace.md\n+++ workspace.md\n@@ -1,3 +1,3 @@\n-Status: Initializing\n+Status: Phase 2 complete\n Phase: 1\n Phase: 1\n',
      replacements: 1,
    })
    expect(edit('none', 'x')).toEqual({
      isError: true,
      content,
      code: 'not_found',
      message: 'Error: old_string not found in workspace.md',
      lines: [],
      candidates: [],
    })
    expect(edit('Phase: 1', 'x')).toMatchObject({
      isError: true,
      content,
      code: 'several_matches',
      message:
        'Error: old_string appears multiple times in workspace.md. Be more specific. It is on lines 2 and 3.',
      lines: [2, 3],
    })
  })

  test('agrees with a reference implementation, for strings and for bytes', () => {
    const shown = (content: string, from: number, length: number) =>
      Array.from(content)
        .slice(from % (content.length + 1), (from % (content.length + 1)) + length)
        .join('')
    const old = fc.oneof(text(3), fc.nat({ max: 40 }))
    fc.assert(
      fc.property(text(30), old, text(4), fc.boolean(), (content, oldOrPlace, newString, replaceAll) => {
        const oldString = typeof oldOrPlace === 'string' ? oldOrPlace : shown(content, oldOrPlace, 3)
        const options = { path, oldString, newString, replaceAll }
        const result = editFile(content, options)
        const after = model(content, oldString, newString, replaceAll)
        // An edit may not make a text binary.
        const isRefused = !content.includes('\0') && after?.includes('\0') === true
        if (isRefused) expect(result).toMatchObject({ isError: true, code: 'binary' })
        const expected = isRefused ? undefined : after
        expect(result.isError ? undefined : result.content).toBe(expected)
        if (result.isError) expect(result.content).toBe(content)
        const bytes = editFile(encoder.encode(content), options)
        // A text is text; bytes with a NUL are those of a binary file.
        if (content.includes('\0')) expect(bytes).toMatchObject({ isError: true, code: 'binary' })
        else expect(bytes).toEqual({ ...result, content: encoder.encode(result.content) })
      }),
      runs,
    )
  })

  test('keeps bytes that are not UTF-8', () => {
    const content = new Uint8Array([0xff, 0x61, 0xfe, 0x0d, 0x0a])
    const result = editFile(content, { path, oldString: 'a', newString: 'é', encoding: 'utf-8' })
    expect(result.content).toEqual(new Uint8Array([0xff, 0xc3, 0xa9, 0xfe, 0x0d, 0x0a]))
    const refused = editFile(content, { path, oldString: 'b', newString: 'é' })
    expect(refused.content).toBe(content)
  })

  test('suggests text that may have been meant and can be used as it is', () => {
    const content = 'if (a) {\r\n\treturn “b”\r\n}\r\n'
    for (const [oldString, difference] of [
      ['if (a) {\n\treturn “b”\n}', 'line-endings'],
      ['if (a) {\r\n  return “b”\r\n}', 'whitespace'],
      ['return "b"', 'typography'],
      ['if (a) {\\r\\n\\treturn', 'escapes'],
      ['  return "b"\n', 'several'],
      ['if (abc) {', 'words'],
    ] as const) {
      const result = editFile(content, { path, oldString, newString: 'x' })
      const candidate = result.isError ? result.candidates[0] : undefined
      expect(candidate?.difference, oldString).toBe(difference)
      expect(result.isError ? result.message : '').toContain(
        'Error: old_string not found in workspace.md\nLine',
      )
      expect(editFile(content, { path, oldString: candidate?.text ?? '', newString: 'x' }).isError).toBe(
        false,
      )
    }
  })

  test('refuses lone surrogates, and values that are not text', () => {
    const edit = (content: unknown, oldString: unknown, newString: unknown) =>
      editFile(
        content as string,
        { path, oldString, newString } as { path: string } & Record<'oldString' | 'newString', string>,
      )
    const cases = [
      ['\ud800', 'a', 'b', 'ill_formed_text', 'content'],
      ['a', 'x\udc00', 'b', 'ill_formed_text', 'oldString'],
      ['a', 'a', '\ud83d', 'ill_formed_text', 'newString'],
      [undefined, 'a', 'b', 'invalid_option', 'content'],
      ['a', null, 'b', 'invalid_option', 'oldString'],
      ['a', 'a', 1, 'invalid_option', 'newString'],
    ] as const
    for (const [content, oldString, newString, code, argument] of cases) {
      expect(() => edit(content, oldString, newString)).toThrow(TrimtabError)
      expect(() => edit(content, oldString, newString)).toThrow(expect.objectContaining({ code, argument }))
    }
    expect(edit('a\u{1F600}', 'a', '\u{1F600}').content).toBe('\u{1F600}\u{1F600}')
  })
})

describe('appendToFile and prependToFile', () => {
  test('add text, and create missing files', () => {
    const text = '\n## New Accomplishment\n- Extracted 47 requirements'
    expect(appendToFile('# W', { path, text })).toMatchObject({
      isError: false,
      content: `# W${text}`,
      message: `Appended ${text.length} chars to workspace.md`,
    })
    expect(appendToFile(undefined, { path, text: 'a\n' })).toMatchObject({
      content: 'a\n',
      diff: '--- /dev/null\n+++ workspace.md\n@@ -0,0 +1 @@\n+a\n',
    })
    expect(prependToFile('\u{FEFF}b', { path, text: 'a' })).toMatchObject({
      content: '\u{FEFF}ab',
      message: 'Prepended 1 chars to workspace.md',
    })
    expect(prependToFile(new Uint8Array([0xff]), { path, text: 'a' }).content).toEqual(
      new Uint8Array([0x61, 0xff]),
    )
    expect(() => appendToFile('', { path, text: '\ud800' })).toThrow(
      expect.objectContaining({ argument: 'text' }),
    )
  })
})

describe('updateSection', () => {
  const content = '# W\n\n## State\n\nold\n\n```md\n## no\n```\n\n# Log\n\n## State\n\n...\n'

  test('replaces a section, identified by its path if its name is ambiguous', () => {
    const result = updateSection(content, { path, header: 'W > State', text: 'Phase: 2' })
    expect(result).toMatchObject({
      isError: false,
      content: '# W\n\n## State\n\nPhase: 2\n\n# Log\n\n## State\n\n...\n',
      message: 'Updated section "State" of workspace.md: replaced 20 chars with 8 chars',
    })
  })

  test('refuses ambiguous, unknown or broken sections, and explains why', () => {
    const message = (header: string, text = 'x') => {
      const result = updateSection(content, { path, header, text })
      expect(result.content).toBe(content)
      return result.message
    }
    expect(message('## State')).toBe(
      'Error: section "## State" appears multiple times in workspace.md. Be more specific. It is on lines 3 and 13. Name it by its path: "# W > ## State", "# Log > ## State".',
    )
    expect(message('no')).toBe(
      'Error: section "no" not found in workspace.md. Its sections are: "# W", "## State", "# Log", "## State".',
    )
    expect(message('W', '```\n')).toMatch(/^Error: section "W" of workspace\.md was not changed: /)
  })
})

describe('the diff of an edit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-diffs-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Applies a diff with a second program. */
  function patched(before: string, diff: string): string {
    const file = join(folder, 'file')
    writeFileSync(file, before)
    writeFileSync(join(folder, 'diff'), diff)
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir(), GIT_CONFIG_GLOBAL: '/dev/null' }
    execFileSync('git', ['apply', '-p0', '--whitespace=nowarn', 'diff'], { cwd: folder, env })
    return readFileSync(file, 'utf8')
  }

  test('applies with git', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('')
    const cases = [
      [lines(30), '5\n', '5\r\nnew\n'],
      [lines(30), 'line', 'LINE'],
      [`${lines(5)}end`, 'end', 'end\n'],
      [`${lines(5)}end\n`, 'end\n', 'end'],
      [lines(3), lines(3).slice(7), 'a\nb\n\n'],
      ['a\n', 'a\n', 'b'],
    ] as const
    for (const [before, oldString, newString] of cases) {
      const result = editFile(before, { path: 'file', oldString, newString, replaceAll: true })
      if (result.isError) throw new Error(result.message)
      expect(patched(before, result.diff)).toBe(result.content)
    }
  })
})
