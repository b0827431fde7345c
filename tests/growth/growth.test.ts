// The work of a function grows no faster than its input: nothing is quadratic in messages, steps, calls, parts, lines
// or files. Work is counted, not timed (work.ts), so that the figures are the same on any machine.
import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { surface } from '../../scripts/lib/reference/surface.mjs'
import type { Row } from './rows.js'
import { countingWasm, startCounting, workOf } from './work.js'

await startCounting()
for (const [name, load] of Object.entries({
  core: async () => (await import('../../js/dist/engine/core.js')).core,
  files: async () => (await import('../../js/dist/engine/files.js')).files,
  validity: async () => (await import('../../js/dist/engine/validity.js')).validity,
  index: async () => (await import('../../js/dist/engine/file-index.js')).fileIndex,
  search: async () => (await import('../../js/dist/engine/search.js')).search,
}))
  (await load()).start(countingWasm(name))
const { loadGrammar } = await import('trimtab/outline')
for (const name of ['typescript', 'text'] as const)
  await loadGrammar(name, { source: countingWasm(`outline/${name}`) })
const { FIXED, ROWS } = await import('./rows.js')

const SIZES = [60, 240, 960] as const
/** Maximum growth from one step of the sizes to the next: 4 is linear, 5 with a logarithm, 16 quadratic. */
const MOST = 5
/** Functions that must grow faster: their maximum, and the reason. */
const MORE: Record<string, [most: number, why: string]> = {
  simulate: [11, 'each of n requests is a view of all messages before it'],
  simulationPicture: [6, 'as simulate'],
  tune: [9, 'as simulate'],
  tuningPicture: [9, 'as simulate'],
}
/** Minimum work to judge, in counted steps: less is noise. */
const NOTICEABLE = 50_000

interface Entry {
  name: string
  exports: { name: string; kind: string }[]
}
/** All functions and classes by name; with the name of the entry if a name occurs twice. */
const exported = (surface() as Entry[])
  .filter(({ name }) => !name.startsWith('trimtab/slim'))
  .flatMap(({ name: entry, exports }) =>
    exports
      .filter(({ kind }) => kind === 'function' || kind === 'class')
      .map(({ name }) => (name === 'trimtab' ? `${entry}.${name}` : name)),
  )

test('every function and class of the declarations has a row', () => {
  expect(exported.length).toBeGreaterThan(100)
  expect([...new Set(exported)].filter((name) => !(name in ROWS || name in FIXED))).toEqual([])
  expect([...Object.keys(ROWS), ...Object.keys(FIXED)].filter((name) => !exported.includes(name))).toEqual([])
})

/** Appends each row to the file in `TRIMTAB_GROWTH`, if set, as soon as it is known. */
function noted(line: string): void {
  const file = process.env.TRIMTAB_GROWTH
  if (file !== undefined) appendFileSync(file, `${line}\n`)
}

async function worksOf(row: Row): Promise<number[]> {
  const works: number[] = []
  for (const size of SIZES) works.push(await workOf(await row(size)))
  return works
}

function growthOf(works: readonly number[]): number {
  const [small, middle, large] = works as [number, number, number]
  // Functions that change their method above some size may take less there.
  return (large - middle) / Math.max(middle - small, middle / 2)
}

/**
 * While a call waits, the test runner may do work of its own, which is counted too: the minimum of several counts is
 * the call's.
 */
const MOST_COUNTS = 4

describe.each(Object.entries(ROWS))('%s', (name, shapes) => {
  test.each(Object.entries(shapes))('%s', async (shape, row) => {
    const most = MORE[name]?.[0] ?? MOST
    // Runs one-time initialisation before counting.
    await (await row(8))()
    let works = await worksOf(row)
    for (let counts = 1; counts < MOST_COUNTS && growthOf(works) > most; counts++) {
      const again = await worksOf(row)
      works = works.map((work, i) => Math.min(work, again[i] as number))
    }
    const growth = growthOf(works)
    const steps = works.map(Math.round).join(', ')
    noted(`${growth.toFixed(2)}  ${name}, ${shape}: ${steps}`)
    if ((works.at(-1) as number) > NOTICEABLE) expect(growth, steps).toBeLessThanOrEqual(most)
  })
})
