import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url).pathname

test('the terminal agent clears results after /rolling-context and keeps the setting after a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-terminal-'))
  const run = (...lines: string[]): string[] =>
    execFileSync(process.execPath, ['examples/terminal.mjs', folder], {
      cwd: ROOT,
      encoding: 'utf8',
      input: `${lines.join('\n')}\n`,
    }).split('\n')
  const cleared = (output: string[]) =>
    output.flatMap((line) => /sent, (\d+) cleared$/.exec(line)?.[1] ?? []).map(Number)
  try {
    for (let i = 0; i < 9; i++) writeFileSync(join(folder, `${i}.txt`), `line ${i}\n`.repeat(300))
    const first = run('read all', '/rolling-context', 'again', '/nothing', '/quit')
    expect(Math.max(...first.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(first[1]).toBe('Rolling context is off: the model sees every tool output.')
    // Nine requests for a file and one for the answer.
    const counts = cleared(first)
    expect(counts.slice(0, 10)).toEqual(Array(10).fill(0))
    expect(Math.min(...counts.slice(10))).toBeGreaterThan(3)
    expect(first.join('\n')).toContain('Rolling context is on: tool outputs older than 5 steps')
    expect(first.at(-2)).toBe('> There are /rolling-context and /quit.')

    const config = join(folder, 'agents.config.json')
    expect(JSON.parse(readFileSync(config, 'utf8')).contextManagement.enabled).toBe(true)
    const second = run('/rolling-context status', '/rolling-context age 1', 'read all')
    expect(second.join('\n')).toContain('older than 5 steps')
    expect(cleared(second).at(-1)).toBeGreaterThan(5)
    expect(JSON.parse(readFileSync(config, 'utf8')).contextManagement.maxToolOutputAge).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
