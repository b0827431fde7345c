// Values of every kind for any argument: the result is a TrimtabError, or a value without NaN.

import { TrimtabError } from 'trimtab'
import { expect, test } from 'vitest'

const cyclic: Record<string, unknown> = { role: 'user', content: 'x' }
cyclic.self = cyclic
const cycle: unknown[] = []
cycle.push(cycle)

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function refuse(): never {
  throw new Error('no access')
}

/** Every function accepts some of these. */
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
  'a revoked object': revoked({}),
  'a revoked list': revoked([]),
  'a function whose fields cannot be read': new Proxy(() => 1, { get: refuse, ownKeys: refuse, has: refuse }),
}

/** Calls with a value in one place, by name. The types would refuse most of them. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers can pass anything.
export type Calls = Record<string, (value: any) => unknown>

/** A call for each of the keys of an object, with the value at that key. */
// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers can pass anything.
export const each = (name: string, keys: string, run: (options: any) => unknown): Calls =>
  Object.fromEntries(keys.split(' ').map((key) => [`${name}({ ${key} })`, (it) => run({ [key]: it })]))

/** The fields of a value, and these; the value alone if its fields cannot be read. */
export function withFields(value: object, fields: object): object {
  try {
    return { ...value, ...fields }
  } catch {
    return value
  }
}

/** Whether a result contains NaN. */
function hasNaN(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isNaN(value)
  const isObject = typeof value === 'object' && value !== null && depth < 6
  return isObject && Object.values(value).some((part) => hasNaN(part, depth + 1))
}

/** Defines a test for each call: every value is accepted, or refused with a message. */
export function testEach(calls: Calls): void {
  test.each(Object.entries(calls))(
    'odd values give a result without NaN or a TrimtabError: %s',
    async (_, run) => {
      for (const [kind, value] of Object.entries(ODD)) {
        try {
          expect(hasNaN(await run(value)), kind).toBe(false)
        } catch (error) {
          if (!(error instanceof TrimtabError)) throw new Error(`${kind}: ${String(error)}`, { cause: error })
          expect(error.message.length, kind).toBeGreaterThan(15)
        }
      }
    },
  )
}
