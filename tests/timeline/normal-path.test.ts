import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { normalPath } from '../../js/src/timeline/normal-path.js'

const table = JSON.parse(readFileSync(new URL('../fixtures/paths.json', import.meta.url), 'utf8')) as [
  written: string,
  name: string,
][]

test.each(table)('%j is %j', (written, name) => {
  expect(normalPath(written)).toBe(name)
  expect(normalPath(name)).toBe(name)
})
