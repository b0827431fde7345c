import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trimtab } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'trimtab-outline-'))

beforeAll(() => {
  writeFileSync(join(folder, 'a.py'), 'def f(x):\n    y = x\n    return y\n')
  writeFileSync(join(folder, 'b.bin'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]))
  mkdirSync(join(folder, 'folder'))
  symlinkSync('folder', join(folder, 'link'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) => trimtab(args, { cwd: folder })

test('outline prints outlines and names files that it cannot read', () => {
  expect(run('outline', 'a.py')).toEqual({
    status: 0,
    stdout: '=== a.py ===\n[python: 1 of 3 lines]\n     1\tdef f(x):\n\t... 2 lines\n',
    stderr: '',
  })
  const { status, stdout, stderr } = run('outline', 'none.py', 'a.py')
  expect([status, stderr]).toEqual([2, 'trimtab: none.py: there is no such file\n'])
  expect(stdout).toContain('def f(x)')
})

test('outline --json prints one line per file', () => {
  const found = JSON.parse(run('outline', 'a.py', '--json').stdout) as object
  expect(found).toMatchObject({
    path: 'a.py',
    language: 'python',
    sections: [{ name: 'f', startLine: 1, endLine: 3 }],
  })
})

test('read prints lines, a view or an expanded section', () => {
  expect(run('read', 'a.py', '--offset', '2', '--limit', '1').stdout).toBe(
    '=== a.py ===\n[Showing lines 2-2 of 3 total lines]\n     2\t    y = x\n',
  )
  expect(run('read', 'a.py', '--offset', '-1').stdout).toContain('     3\t')
  expect(run('read', 'a.py', '--offset=-1').stdout).toBe(run('read', 'a.py', '--offset', '-1').stdout)
  const { stdout: clipped } = trimtab(['read', '-'], { input: `${'x'.repeat(2000)}yz\n` })
  expect(clipped).toContain('column=2001')
  const rest = trimtab(['read', '-', '--offset', '1', '--column', '2001'], {
    input: `${'x'.repeat(2000)}yz\n`,
  })
  expect(rest.stdout).toMatch(/\tyz\n$/)
  expect(run('read', 'a.py', '--mode', 'structure').stdout).toBe(
    'File: a.py (structure)\nTotal lines: 3 | Preserved: 1 (33.3%)\n\n   1 | def f(x):\n...\n',
  )
  expect(run('read', 'a.py', '--about', 'f').stdout).toContain('File: a.py (full)\n')
  const about = (words: string) => run('read', 'a.py', '--about', words, '--mode', 'curated').stdout
  expect(about('where is return')).toContain('File: a.py (curated)\n')
  expect(about('zzz')).toBe(run('read', 'a.py', '--mode', 'structure').stdout)
  expect(run('read', 'a.py', '--expand', 'f').stdout).toContain('\nLines 1-3: f\n   1 | def f(x):\n')
  expect(run('read', 'a.py', '--expand', '2').stdout).toBe(run('read', 'a.py', '--expand', 'f').stdout)
  const { stdout } = trimtab(['read', '-'], { input: 'x\n' })
  expect(stdout).toContain('     1\tx\n')
})

test.each([
  ['outline', [], /no file given/],
  ['outline', ['folder'], /^trimtab: folder: this is a directory$/],
  ['outline', ['link'], /^trimtab: link: this is a directory$/],
  ['outline', ['b.bin'], /^trimtab: b\.bin: a binary file \(.*\) has no outline$/],
  ['outline', ['a.py', '--language', 'cobol'], /there is no outline for "cobol"/],
  ['outline', ['a.py', '--lines', '1', '--tokens', '1'], /not both/],
  ['outline', ['a.py', '--lines', '1.5'], /--lines 1\.5: a whole number from 0 on is needed/],
  ['read', ['none'], /^trimtab: none: there is no such file$/],
  ['read', ['link'], /^trimtab: link: this is a directory$/],
  ['read', ['/dev/zero'], /^trimtab: \/dev\/zero: this is a device, not a file$/],
  ['read', ['a.py', '--offset', '-x'], /--offset/],
  ['read', ['a.py', '--mode', 'some'], /--mode some: one of auto, full, curated, structure/],
  ['read', ['a.py', '--expand', 'g'], /--expand: there is no section "g": there are f/],
  ['read', ['a.py', '--expand', '4'], /--expand: there is no line 4: the file has 3 lines/],
  ['read', ['b.bin', '--mode', 'auto'], /^trimtab: b\.bin: a binary file \(.*\) has no lines$/],
  ['read', ['a.py', '--mode', 'structure', '--limit', '3'], /go with --mode full/],
])('%s %j fails with a one-line error', (command, args, line) => {
  const { status, stdout, stderr } = run(command, ...args)
  expect(stderr).toMatch(/^trimtab: [^\n]{1,400}\n$/)
  expect(stderr.trimEnd()).toMatch(line)
  expect([status, stdout]).toEqual([2, ''])
})
