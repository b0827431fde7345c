import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url).pathname

test('the example agent edits a scratch folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-example-'))
  try {
    const output = execFileSync(process.execPath, ['examples/agent.mjs', folder], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(readFileSync(join(folder, 'src/greet.js'), 'utf8')).toBe(
      "export const greet = (name) => 'Good day ' + name\n",
    )
    expect(readFileSync(join(folder, 'workspace.md'), 'utf8')).toBe(
      '# Workspace\n\n## Current State\n\nStatus: greeting done\n',
    )
    expect(readdirSync(folder).sort()).toEqual(['.sessions', 'src', 'workspace.md'])
    expect(output.trim().split('\n')).toEqual([
      'write_file: Written: src/greet.js (47 bytes)',
      'write_file: Written: workspace.md (52 bytes)',
      "search: src/greet.js:1: export const greet = (name) => 'Hello ' + name",
      'edit_file: Edited src/greet.js: replaced 5 chars with 8 chars',
      'edit_file: Error: old_string not found in src/greet.js',
      'update_section: Updated section "Current State" of workspace.md: replaced 20 chars with 21 chars',
      'read_file: === src/greet.js ===',
      '',
      'The greeting is polite now.',
      '- src/greet.js: A start',
      '- src/greet.js: Greets politely',
      '- workspace.md: Progress',
    ])
    // Run again, it continues its conversation.
    const again = execFileSync(process.execPath, ['examples/agent.mjs', folder], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(again.trim().split('\n').slice(-3)).toEqual([
      '- src/greet.js: A start 2x',
      '- src/greet.js: Greets politely 2x',
      '- workspace.md: Progress 2x',
    ])
    expect(again).not.toContain('Warning')
    // The saved session can be inspected.
    const session = join(folder, '.sessions/agent.jsonl')
    const seen = execFileSync(process.execPath, ['js/dist/cli/main.js', 'inspect', '--json', session], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(JSON.parse(seen)).toMatchObject({
      format: 'openai-chat',
      messages: 33,
      kind: 'saved-session',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
