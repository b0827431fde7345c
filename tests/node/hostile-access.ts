// Objects of a host that fail, or give something else, at one access of all that a call makes.
import { Thrown } from './hostile-values.js'

/** What one access does instead of giving the value. */
export type Effect = (value: unknown, key: string | symbol) => unknown

const thrower = (thrown: unknown): Effect => {
  return () => {
    // Made here, so that its stack has the place of the access.
    throw typeof thrown === 'string' ? new Thrown(thrown) : thrown
  }
}
const unprintable = {
  [Symbol.toPrimitive]: () => {
    throw new Thrown('no text')
  },
}

/** By name; `lasts` for one that all later accesses have too, as after a revocation. */
export const EFFECTS: Record<string, { effect: Effect; lasts?: boolean }> = {
  'throws once': { effect: thrower('once') },
  'throws from then on': { effect: thrower('always'), lasts: true },
  'throws what has no text': { effect: thrower(unprintable) },
  'throws nothing': { effect: thrower(undefined) },
  'is null': { effect: () => null },
  'is absent from then on': { effect: () => undefined, lasts: true },
  'is a symbol': { effect: () => Symbol('x') },
  'is a BigInt': { effect: () => 10n },
  'is another text': { effect: () => 'x\ud800' },
  'is a circle': { effect: () => CIRCLE },
  'is a function that throws': { effect: () => thrower('called') },
  'is an object that throws': { effect: () => new Proxy({}, { get: thrower('get') }) },
  'is a shorter or longer list': { effect: (value, key) => (key === 'length' ? 1 : [value, value]) },
  'is empty': { effect: (_, key) => (key === 'length' ? 0 : []) },
}

const CIRCLE: Record<string, unknown> = { role: 'user' }
CIRCLE.content = [CIRCLE]

const isData = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)

/** Makes proxies of values, however deep, which count what is accessed. */
export class Host {
  accesses = 0
  readonly #at: number
  readonly #effect: Effect
  readonly #lasts: boolean
  readonly #proxies = new Map<object, object>()

  /** @param at The access at which the effect occurs, from 1. */
  constructor(
    at = Number.POSITIVE_INFINITY,
    { effect, lasts = false }: { effect: Effect; lasts?: boolean } = NONE,
  ) {
    this.#at = at
    this.#effect = effect
    this.#lasts = lasts
  }

  of<T>(value: T): T {
    if (!isData(value)) return value
    const known = this.#proxies.get(value)
    if (known !== undefined) return known as T
    const proxy = new Proxy<object>(value, {
      get: (target, key) => this.#access(Reflect.get(target, key), key),
      has: (target, key) => this.#access(Reflect.has(target, key), key) === true,
      ownKeys: (target) => {
        this.#access(undefined, 'ownKeys')
        return Reflect.ownKeys(target)
      },
      getOwnPropertyDescriptor: (target, key) => {
        this.#access(undefined, key)
        const found = Reflect.getOwnPropertyDescriptor(target, key)
        return found?.configurable === true ? { ...found, value: this.of(found.value) } : found
      },
      getPrototypeOf: (target) => {
        this.#access(undefined, 'getPrototypeOf')
        return Reflect.getPrototypeOf(target)
      },
    })
    this.#proxies.set(value, proxy)
    return proxy as T
  }

  #access(value: unknown, key: string | symbol): unknown {
    this.accesses++
    const isNow = this.#lasts ? this.accesses >= this.#at : this.accesses === this.#at
    return isNow ? this.#effect(value, key) : this.of(value)
  }
}

const NONE = { effect: (value: unknown) => value }

/** The accesses to try of so many: the first ones all, later ones less and less often. */
export function* accessesOf(count: number): Generator<number> {
  for (let at = 1; at <= count; at += Math.max(1, Math.floor(at / 24))) yield at
}

/** A fresh copy of arguments, as far as they are plain data. */
export function copied<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copied) as T
  if (!isData(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copied(part)])) as T
}
