import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reference } from '../../scripts/lib/reference/index.mjs'

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
