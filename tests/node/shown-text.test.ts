// What the engine's summaries say of outputs, which know the rules of test runners only, never contradicts what
// `extractKeyInfo` says of them; and text that a command only shows is no outcome.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractKeyInfo, summarizeToolOutput } from 'trimtab/recipes'
import { expect, test } from 'vitest'
import { at } from '../../scripts/lib/project.mjs'

const folder = at('tests', 'fixtures', 'outputs')
const expected: Record<string, { outcome: string }> = JSON.parse(
  readFileSync(join(folder, 'expected.json'), 'utf8'),
)
const outputs = Object.entries(expected).map(([name, { outcome }]) => ({
  name,
  outcome,
  text: readFileSync(join(folder, `${name}.txt`), 'utf8'),
}))
const of = (outcome: string) => outputs.filter((output) => output.outcome === outcome)

/** The outcome that a summary states; undefined if none. */
function statedIn(text: string): string | undefined {
  const summary = summarizeToolOutput({ role: 'tool', tool_call_id: 'a', content: text })
  return /lines?: (succeeded|failed)(?:;|$)/.exec(summary)?.[1]
}

test('a summary never calls a passing run failed, nor a failing one succeeded', () => {
  const stated = (outcome: string, word: string) =>
    of(outcome)
      .filter(({ text }) => statedIn(text) === word)
      .map(({ name }) => name)
  expect(stated('succeeded', 'failed')).toEqual([])
  expect(stated('failed', 'succeeded')).toEqual([])
  expect(stated('failed', 'failed').length).toBeGreaterThan(150)
})

test('a summary says of several commands that they succeeded only if extractKeyInfo does', () => {
  const wrong: string[] = []
  const passing = of('succeeded')
  of('failed').forEach((failing, index) => {
    for (let i = index % 5; i < passing.length; i += 5) {
      const text = `${failing.text}\n${passing[i]?.text}`
      if (statedIn(text) === 'succeeded' && extractKeyInfo(text, 'bash').outcome !== 'succeeded')
        wrong.push(`${failing.name}, ${passing[i]?.name}`)
    }
  })
  expect(wrong).toEqual([])
})

test.each([
  ['js/src', '.ts'],
  ['src', '.rs'],
  ['docs', '.md'],
])('the files of %s are no failed run when a command shows them', (root, end) => {
  const names = readdirSync(at(root), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(end),
  )
  const stated = names.filter(
    (name) => extractKeyInfo(readFileSync(at(root, name), 'utf8'), 'bash').outcome !== 'unknown',
  )
  expect(names.length).toBeGreaterThan(20)
  // Some quote output line by line.
  expect(stated.length / names.length, stated.join(', ')).toBeLessThan(0.05)
})
