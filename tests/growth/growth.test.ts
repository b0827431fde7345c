// What a function does grows no faster than what it is given: nothing is quadratic in messages, steps, calls, parts, lines or files.
// Work is counted, not timed (work.ts), so that the figures are the same on any machine.
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { at } from '../../scripts/lib/project.mjs'
import { countInstances, countingWasm } from './counting-wasm.js'
import type { Row } from './inputs.js'
import { type Work, workOf } from './work.js'

countInstances()
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
const { FIXED_METHODS, METHOD_ROWS, WITHIN } = await import('./method-rows.js')
const { SESSIONS, STEADY_SESSIONS } = await import('./session-rows.js')
const { ADAPTER_SESSIONS } = await import('./adapter-session-rows.js')

const SIZES = [60, 240, 960] as const
/** How much more the last step of the sizes may take than the one before: 4 is linear, 5 with a logarithm, 16 quadratic. */
const MOST = 5
/** What grows faster, and why that is what it has to do; with the most that it may. */
const MORE: Record<string, [most: number, why: string]> = {
  simulate: [11, 'each of n requests is a view of all messages before it'],
  simulationPicture: [6, 'as simulate'],
  tune: [9, 'as simulate'],
  tuningPicture: [9, 'as simulate'],
}
/** The same for one place of the code, which sorts, or works from some size on: between n log n and quadratic. */
const MOST_OF_A_PLACE = 12
/** For sessions, in which each turn may go through what came before: 16 is quadratic, 64 cubic. */
const OF_SESSIONS = { most: 17, ofPlace: 32, noticeable: 100_000 }
/** Steps: less is not worth a law. */
const NOTICEABLE = 50_000

/** What is exported, read in a process of its own: V8 would else count all functions of the TypeScript compiler at each measurement. */
function declared(): { entries: Entry[]; methods: string[] } {
  const reference = at('scripts', 'lib', 'reference')
  const script = `import { surface } from '${reference}/surface.mjs'
    import { methods } from '${reference}/methods.mjs'
    const entries = surface().map(({ name, exports }) => ({
      name,
      exports: exports.map(({ name, kind }) => ({ name, kind })),
    }))
    process.stdout.write(JSON.stringify({ entries, methods: methods() }))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
  )
}

interface Entry {
  name: string
  exports: { name: string; kind: string }[]
}
const { entries, methods } = declared()
/** All that can be called, by name; that of an entry by both where names are twice there. */
const exported = entries
  .filter(({ name }) => !name.startsWith('trimtab/slim'))
  .flatMap(({ name: entry, exports }) =>
    exports
      .filter(({ kind }) => kind === 'function' || kind === 'class')
      .map(({ name }) => (name === 'trimtab' ? `${entry}.${name}` : name)),
  )

test('every exported function and class has a row or a reason to have none', () => {
  expect(exported.length).toBeGreaterThan(100)
  expect([...new Set(exported)].filter((name) => !(name in ROWS || name in FIXED))).toEqual([])
  expect([...Object.keys(ROWS), ...Object.keys(FIXED)].filter((name) => !exported.includes(name))).toEqual([])
})

test('every method of what they return has a row or a reason to have none', () => {
  expect(methods.length).toBeGreaterThan(90)
  const known = [METHOD_ROWS, WITHIN, FIXED_METHODS].flatMap(Object.keys)
  expect(methods.filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => !methods.includes(name))).toEqual([])
  const rows = { ...ROWS, ...METHOD_ROWS }
  expect(Object.values(WITHIN).filter((name) => !(name in rows))).toEqual([])
})

/** Where `TRIMTAB_GROWTH` names a file, each row is written there as it is known. */
function noted(line: string): void {
  const file = process.env.TRIMTAB_GROWTH
  if (file !== undefined) appendFileSync(file, `${line}\n`)
}

function growthOf([small, middle, large]: readonly number[]): number {
  if (small === undefined || middle === undefined || large === undefined)
    throw new Error('three sizes are needed')
  // What is decided otherwise from some size on may take less there.
  return (large - middle) / Math.max(middle - small, middle / 2)
}

/** Places that grow too fast, although all steps together may not: next to much other work they do not show yet. */
function fastPlaces(works: readonly Work[], { noticeable, ofPlace }: Limits): string[] {
  const fast: string[] = []
  for (const [place, count] of works.at(-1)?.places ?? []) {
    const counts = works.map(({ places }) => places.get(place) ?? 0)
    if (count > noticeable && growthOf(counts) > ofPlace) fast.push(`${place}: ${counts.join(', ')}`)
  }
  return fast
}

/** How much more the last step of the sizes may take, all together and for one place of the code. */
interface Limits {
  most: number
  ofPlace: number
  /** How often a place has to run for its limit to hold. */
  noticeable: number
}

/**
 * Memory that earlier calls left in pieces is searched longer, and while a call waits, the test runner may do something
 * of its own: of several counts the least is the call's.
 */
const MOST_COUNTS = 4

async function worksOf(row: Row): Promise<Work[]> {
  const works: Work[] = []
  for (const size of SIZES) works.push(await workOf(await row(size)))
  return works
}

/** The least of two counts, of each place too. */
function leastOf(a: Work, b: Work): Work {
  const places = new Map(
    [...a.places].map(([place, count]) => [place, Math.min(count, b.places.get(place) ?? 0)]),
  )
  return { steps: Math.min(a.steps, b.steps), places }
}

function isWithin(works: readonly Work[], limits: Limits): boolean {
  return growthOf(works.map(({ steps }) => steps)) <= limits.most && fastPlaces(works, limits).length === 0
}

async function expectWithin(name: string, row: Row, limits: Limits): Promise<void> {
  // What is made once, at the first call, is made here.
  await (await row(8))()
  let works = await worksOf(row)
  for (let counts = 1; counts < MOST_COUNTS && !isWithin(works, limits); counts++) {
    const again = await worksOf(row)
    works = works.map((work, i) => leastOf(work, again[i] as Work))
  }
  const growth = growthOf(works.map(({ steps }) => steps))
  const steps = works.map((work) => Math.round(work.steps)).join(', ')
  const fast = fastPlaces(works, limits)
  noted([`${growth.toFixed(2)}  ${name}: ${steps}`, ...fast].join('\n    '))
  if ((works.at(-1) as Work).steps > NOTICEABLE) expect(growth, steps).toBeLessThanOrEqual(limits.most)
  expect(fast).toEqual([])
}

const linear: Limits = { most: MOST, ofPlace: MOST_OF_A_PLACE, noticeable: NOTICEABLE }

describe.each(Object.entries({ ...ROWS, ...METHOD_ROWS }))('the work of %s', (name, shapes) => {
  test.each(Object.entries(shapes))('grows within its limit: %s', async (shape, row) => {
    const more = MORE[name]?.[0]
    const limits = more === undefined ? linear : { ...linear, most: more, ofPlace: Number.POSITIVE_INFINITY }
    await expectWithin(`${name}, ${shape}`, row, limits)
  })
})

describe.each(Object.entries(STEADY_SESSIONS))('a session of %s', (name, shapes) => {
  test.each(Object.entries(shapes))('takes the same work at each turn: %s', async (shape, row) => {
    await expectWithin(`session of ${name}, ${shape}`, row, linear)
  })
})

describe.each([...Object.entries(SESSIONS), ['messages of hosts', ADAPTER_SESSIONS] as const])(
  'a session with %s',
  (name, shapes) => {
    test.each(Object.entries(shapes))(
      'goes through the history once per turn at most: %s',
      async (shape, row) => {
        await expectWithin(`session with ${name}, ${shape}`, row, OF_SESSIONS)
      },
    )
  },
)
