// Answers of edits with diffs: as long as the limits allow, and no longer.

import { estimateTokens } from 'trimtab/tokens'
import { createTools, runToolCall } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { contentOf, setUp } from './set-up.js'

const BYTES = (text: string) => new TextEncoder().encode(text).length / 3.5
const WIDE = { 'one.json': `{"a":"${'x'.repeat(300_000)}"}` }
const LONG = { 'many.txt': 'line\n'.repeat(20_000) }

const edit = (files: Record<string, string>, args: object, options = {}) => {
  const workspace = createWorkspace({ memory: files })
  const tools = createTools(workspace, { diffs: true, ...options })
  return runToolCall(tools, { name: 'edit_file', arguments: JSON.stringify(args) })
}

test('a diff that fits is shown whole', async () => {
  const { run } = setUp({ diffs: true })
  const { content } = await run('edit_file', { path: 'a.txt', old_string: 'two', new_string: '2' })
  expect(content).toBe(
    'Edited a.txt: replaced 3 chars with 1 chars\n\n--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
  )
})

describe('a diff that does not fit', () => {
  test('is cut between lines, with what is left out', async () => {
    const { content, isError } = await edit(LONG, {
      path: 'many.txt',
      old_string: 'line',
      new_string: 'x',
      replace_all: true,
    })
    expect(isError).toBe(false)
    expect(content).toMatch(/^Edited many\.txt: .* in 20000 places\n\n--- many\.txt\n\+\+\+ many\.txt\n@@/)
    const [, shown, all] = /\n\[(\d+) of (\d+) lines of the diff shown: read the file\]$/.exec(content) ?? []
    expect(Number(all)).toBe(40_003)
    expect(content.split('\n').length - 3).toBe(Number(shown))
    expect(BYTES(content)).toBeLessThanOrEqual(3000)
    expect(BYTES(content)).toBeGreaterThan(2900)
  })

  test('is cut if a single line is too long', async () => {
    const { content } = await edit(WIDE, { path: 'one.json', old_string: '{"a"', new_string: '{"b"' })
    expect(content).toBe(
      'Edited one.json: replaced 4 chars with 4 chars\n\n--- one.json\n+++ one.json\n@@ -1 +1 @@\n[3 of 7 lines of the diff shown: read the file]',
    )
  })

  test.each([
    ['the limits', { limits: { readMaxTokens: 200 } }, 200, BYTES],
    ['the counter', { counter: (text: string) => text.length }, 3000, (text: string) => text.length],
    ['a counter of the package', { counter: estimateTokens }, 3000, estimateTokens],
  ])('is measured with %s', async (_, options, most, count) => {
    const args = { path: 'many.txt', old_string: 'line', new_string: 'x', replace_all: true }
    const { content } = await edit(LONG, args, options)
    expect(count(content)).toBeLessThanOrEqual(most)
    expect(count(content)).toBeGreaterThan(0.8 * most)
  })

  test('is shown whole without limits', async () => {
    const args = { path: 'many.txt', old_string: 'line', new_string: 'x', replace_all: true }
    const { content } = await edit(LONG, args, { limits: false })
    expect(content.split('\n')).toHaveLength(40_005)
  })
})

test('answers of writes and edits stay within the limits, whatever the path', async () => {
  const name = `${'a'.repeat(200)}/`.repeat(5)
  const { run } = setUp({ limits: { readMaxTokens: 150 } })
  for (const [tool, args] of [
    ['write_file', { content: 'a\n' }],
    ['append_to_file', { content: 'b\n' }],
  ] as const) {
    const { content, isError } = await run(tool, { path: `${name}b.txt`, ...args })
    expect(isError).toBe(false)
    expect(BYTES(content)).toBeLessThanOrEqual(151)
  }
})

test('a counter that fails leaves the file as it was', async () => {
  const { run, workspace } = setUp({ diffs: true, counter: () => Number.NaN })
  const { isError } = await run('edit_file', { path: 'a.txt', old_string: 'two', new_string: '2' })
  expect(isError).toBe(true)
  expect(await contentOf(workspace, 'a.txt')).toBe('one\ntwo\nthree\n')
})
