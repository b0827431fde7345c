// Values of every kind, for whatever is wanted: a TrimtabError, or a result without a hole in it.

import { TrimtabError } from 'trimtab'
import { expect, test } from 'vitest'

const cyclic: Record<string, unknown> = { role: 'user', content: 'x' }
cyclic.self = cyclic
const cycle: unknown[] = []
cycle.push(cycle)

/** Any function takes some of them. */
const ODD: Record<string, unknown> = {
  undefined: undefined,
  null: null,
  NaN: Number.NaN,
  '-1': -1,
  Infinity: Number.POSITIVE_INFINITY,
  '1.5': 1.5,
  '2 ** 60': 2 ** 60,
  '0': 0,
  text: 'x',
  'an empty text': '',
  'an empty list': [],
  'a list of a number': [1],
  'an empty object': {},
  'an object without a text': Object.create(null),
  'a symbol': Symbol('x'),
  'a bigint': 10n,
  'a function': () => 1,
  true: true,
  'no date': new Date(Number.NaN),
  'a map': new Map(),
  'a cyclic object': cyclic,
  'a cyclic list': cycle,
}

/** Calls with a value in some place, by what is called. The types would refuse most of them. */
// biome-ignore lint/suspicious/noExplicitAny: what callers without types do.
export type Calls = Record<string, (value: any) => unknown>

/** A call for each of some keys of an object, which gets the value there. */
// biome-ignore lint/suspicious/noExplicitAny: what callers without types do.
export const each = (name: string, keys: string, run: (options: any) => unknown): Calls =>
  Object.fromEntries(keys.split(' ').map((key) => [`${name}({ ${key} })`, (it) => run({ [key]: it })]))

/** What was computed holds no number that is none. */
function hasNaN(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isNaN(value)
  const isObject = typeof value === 'object' && value !== null && depth < 6
  return isObject && Object.values(value).some((part) => hasNaN(part, depth + 1))
}

/** A test for each call: every value is taken, or refused in words. */
export function testEach(calls: Calls): void {
  test.each(Object.entries(calls))('%s', async (_, run) => {
    for (const [kind, value] of Object.entries(ODD)) {
      try {
        expect(hasNaN(await run(value)), kind).toBe(false)
      } catch (error) {
        if (!(error instanceof TrimtabError)) throw new Error(`${kind}: ${String(error)}`, { cause: error })
        expect(error.message.length, kind).toBeGreaterThan(15)
      }
    }
  })
}
