// What a terminal gets of a file's text: a program that waits at a terminal acts on control characters.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { program, trimtab } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'trimtab-terminal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Sets the title, writes to the clipboard, hides text, turns the direction. */
const hostile = 'a\u001b]0;title\u0007b\u009b8mc\u202ed\re'
const source = join(folder, 'a.py')
writeFileSync(source, `TITLE = "${hostile}"\n\n\ndef f():\n    return TITLE\n`)
const session = join(folder, 'session.json')
const messages = [
  { role: 'user', content: hostile },
  { role: 'assistant', content: 'done' },
]
writeFileSync(session, JSON.stringify(messages))

/** Runs a command where a terminal is, by util-linux's `script`. */
function atTerminal(args: readonly string[]): string {
  const command = [process.execPath, program, ...args].map((part) => `'${part}'`).join(' ')
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', input: '' })
  return stdout
}
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')

const COMMANDS = [
  ['read', source],
  ['read', source, '--mode', 'structure'],
  ['outline', source],
  ['outline', source, '--json'],
  ['project', session],
]

describe.runIf(hasScript)('at a terminal', () => {
  test.each(COMMANDS)('%s %s prints no control characters of a file', (...args) => {
    const printed = atTerminal(args)
    expect(printed).toContain('title')
    expect(printed).not.toMatch(/(?!\n|\t|\r\n)[\p{Cc}\u202a-\u202e]/u)
  })
})

test('a pipe gets the text as it is', () => {
  expect(trimtab(['read', source]).stdout).toContain('\u001b]0;title\u0007b\u009b8mc\u202ed')
})

// A device that is always full.
test
  .runIf(existsSync('/dev/full'))
  .each([['--help'], ['init', '--help'], ['inspect', session], ['project', session], ['simulate', session]])(
  'a full disk at standard output is said: %s',
  (...args) => {
    const full = openSync('/dev/full', 'w')
    const ran = (stderr: 'pipe' | number) =>
      spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', stdio: ['ignore', full, stderr] })
    const line = 'trimtab: cannot write standard output: the disk is full\n'
    expect(ran('pipe')).toMatchObject({ status: 2, stderr: expect.stringMatching(new RegExp(`${line}$`)) })
    expect(ran(full).status).toBe(2)
    closeSync(full)
  },
)

test('read names standard input', () => {
  expect(trimtab(['read', '-'], { input: 'hi' }).stdout).toMatch(/^=== standard input ===\n/)
})

test('a session of more than 512 MB is refused before it is read', () => {
  const file = join(folder, 'sparse.json')
  writeFileSync(file, '')
  truncateSync(file, 6 * 2 ** 30)
  const { status, stderr } = trimtab(['inspect', file])
  expect([status, stderr]).toEqual([2, `trimtab: ${file}: more than 512 MB of data\n`])
})
