// No preset is beaten in cost, edits and reads at once by "newest k stay, batches of b" or "at t tokens all
// but the newest k".

import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { betterRivals } from '../../benches/money/rivals.js'
import { sessionsOf } from '../../benches/money/sessions.js'

const DATA = new URL('../../../shared/data/', import.meta.url).pathname
const GRID = { keep: [1, 5, 10], batch: [5000, 20_000], limit: [40_000, 80_000] }
const NAMES = ['claude-code-258c.jsonl', 'claude-code-ae4a.jsonl', 'claude-code-fa81.jsonl']

describe.skipIf(!existsSync(DATA))('recorded sessions (skipped where ../shared/data is not there)', () => {
  test.each(NAMES)('no simple rule beats the presets in %s', (name) => {
    const [session] = sessionsOf([DATA + name])
    expect(betterRivals(session, GRID)).toEqual([])
  })
})

test('betterRivals finds a cheaper rule that keeps as much', () => {
  const use = (name: string, input: object, output: string, id: number) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${id}`, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${id}`, content: output }] },
  ]
  const read = (id: number) => use('Read', { file_path: `src/${id}.ts` }, `a line of ${id}\n`.repeat(400), id)
  // Only the newest read is ever needed, so keeping one result costs least.
  const edit = { file_path: 'src/39.ts', old_string: 'a line of 39\n', new_string: 'b' }
  const messages = [
    { role: 'user', content: 'Go on.' },
    ...Array.from({ length: 40 }, (_, id) => read(id)).flat(),
    ...use('Edit', edit, 'ok', 40),
    { role: 'assistant', content: 'Done.' },
  ]
  const session = { name: 'made up', messages, requests: 42, options: {} }
  const found = betterRivals(session, { keep: [0, 1], batch: [1000], limit: [] })
  expect(new Set(found.map(({ rival }) => rival.name))).toEqual(new Set(['newest 1 stay, batches of 1,000']))
})
