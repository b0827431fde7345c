// Values that a host could pass by mistake or on purpose, and what a call with them may throw.
import { createContext, runInContext } from 'node:vm'
import { TrimtabError } from 'trimtab'

// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers can pass anything.
export type AnyFunction = (...args: any[]) => any

export class Thrown extends Error {}
const thrower = (): never => {
  throw new Thrown('the host')
}
const trapped = (target: object, ...traps: (keyof ProxyHandler<object>)[]) =>
  new Proxy(target, Object.fromEntries(traps.map((trap) => [trap, thrower])))
const revoked = (target: object) => {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}
const circle: Record<string, unknown> = { role: 'user' }
circle.content = [circle]
const detached = () => {
  const bytes = new Uint8Array([1, 2, 3])
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

const realm = createContext()
/** Makes a value anew in a realm of its own. */
const inAnotherRealm = (code: string): unknown => runInContext(code, realm)

/** Hostile values by name, made for each call. */
export const VALUES: Record<string, () => unknown> = {
  getters: () => ({
    get role() {
      return thrower()
    },
    get content() {
      return thrower()
    },
  }),
  'a proxy that gives nothing': () => trapped({}, 'get'),
  'a proxy that does nothing': () => trapped({}, 'get', 'has', 'ownKeys', 'getPrototypeOf'),
  'a list that gives nothing': () => trapped([], 'get'),
  'a revoked object': () => revoked({}),
  'a revoked list': () => revoked([]),
  'a circle': () => circle,
  'a BigInt': () => 10n,
  'a symbol': () => Symbol('x'),
  bytes: () => new Uint8Array([1, 2, 255]),
  numbers: () => new Float64Array(3),
  'detached bytes': detached,
  'a toJSON that throws': () => ({ toJSON: thrower }),
  'a toString that throws': () => ({ toString: thrower, [Symbol.toPrimitive]: thrower }),
  'no prototype': () => Object.create(null),
  NaN: () => Number.NaN,
  'half of a pair': () => '\ud800',
  'a map': () => new Map([[{}, 1]]),
  'a list of a negative length': () =>
    new Proxy([], { get: (_, key) => (key === 'length' ? -1 : undefined) }),
  'a list of 2^32 entries': () =>
    new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 : undefined) }),
  'a list that is longer than it says': () =>
    Object.assign([{ role: 'user', content: 'x' }], { length: 1000 }),
  'bytes of another realm': () => inAnotherRealm('new Uint8Array([97, 10])'),
  'shared bytes': () => new Uint8Array(new SharedArrayBuffer(3)),
  'bytes that shrank': () => {
    const buffer = new ArrayBuffer(8, { maxByteLength: 8 })
    const bytes = new Uint8Array(buffer, 4)
    buffer.resize(2)
    return bytes
  },
  'a then that throws': () => Object.defineProperty({}, 'then', { get: thrower }),
}

class List<T> extends Array<T> {}
const frozen = <T extends object>(value: T): T => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(value)
}

const call = {
  id: 'a',
  type: 'function',
  function: { name: 'read_file', arguments: '{"path":"a.ts"}' },
}
export const history = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'a line\n'.repeat(400) },
  { role: 'assistant', content: 'done' },
]
const [first, asked, result, last] = history
/** Lists of valid messages that are unlike other lists. */
export const LISTS: Record<string, () => unknown> = {
  'a list of a subclass': () => List.from(history),
  'a list with a getter': () =>
    Object.defineProperty([...history], 1, { get: thrower, enumerable: true, configurable: true }),
  'a frozen list': () => frozen(structuredClone(history)),
  'messages without prototypes': () => history.map((message) => Object.assign(Object.create(null), message)),
  'a proxy of a list': () => new Proxy([...history], {}),
  'messages of another realm': () => inAnotherRealm(`(${JSON.stringify(history)})`),
}

/** Messages with a value in each place that may hold one. */
export const inMessages = (value: unknown): unknown[] => [
  [value],
  [first, asked, result, { role: 'assistant', content: value }],
  [first, asked, { ...result, content: value }, last],
  [first, { role: 'assistant', content: null, tool_calls: value }, result],
  [first, { role: 'assistant', content: null, tool_calls: [{ ...call, function: value }] }, result],
]
/** What a call threw or rejected with, unless that is a TrimtabError. */
export async function rawError(run: AnyFunction, isClass: boolean, args: unknown[]): Promise<unknown> {
  try {
    const made = isClass ? Reflect.construct(run, args) : run(...args)
    await (typeof made === 'function' ? made(history) : made)
    return undefined
  } catch (error) {
    return error instanceof TrimtabError ? undefined : (error ?? new Error('nothing was thrown'))
  }
}
