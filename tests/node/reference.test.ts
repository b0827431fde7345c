import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleIndex } from '../../scripts/lib/reference/examples.mjs'
import { reference } from '../../scripts/lib/reference/index.mjs'
import { surface } from '../../scripts/lib/reference/surface.mjs'

const ROOT = new URL('../..', import.meta.url).pathname
const pages: Map<string, string> = reference()

test('the generated pages are those that are committed', () => {
  const committed = readdirSync(join(ROOT, 'docs/reference'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/reference/${name}`)
  expect(committed.sort()).toEqual([...pages.keys()].sort())
})

test.each([...pages])('%s is what `npm run docs` writes', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text)
})

interface Export {
  name: string
  kind: string
  doc: string
  symbol: object
}
const entries = surface() as { name: string; exports: Export[] }[]

test('every export has a doc comment, which an editor shows at its import', () => {
  const bare = entries.flatMap(({ name, exports }) =>
    exports.filter(({ doc }) => doc === '').map((each) => `${name} ${each.name}`),
  )
  expect(bare).toEqual([])
})

test('every value has an example that imports it, from one of its entries, and runs', () => {
  const examples = exampleIndex()
  const values = new Map<object, string[]>()
  for (const { name, exports } of entries)
    for (const each of exports)
      if (each.kind !== 'type')
        values.set(each.symbol, [...(values.get(each.symbol) ?? []), `${name} ${each.name}`])
  expect(values.size).toBeGreaterThan(120)
  expect([...values.values()].filter((imports) => !imports.some((key) => examples.has(key)))).toEqual([])
})
