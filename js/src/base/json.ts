/** The fields of a JSON object, by name. */
export type JsonRecord = Record<string, unknown>

/** Whether a value is an array; `false` for a revoked proxy. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

export function isRecord<T = unknown>(value: unknown): value is Record<string, T> {
  return typeof value === 'object' && value !== null && !isArray(value)
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asArray(value: unknown): readonly unknown[] {
  return isArray(value) ? value : []
}

export function asRecord(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined
}

/** Returns the objects in a list; other entries are dropped. */
export function recordsOf(value: unknown): JsonRecord[] {
  return asArray(value).filter(isRecord)
}

/** The fields that have a value: without those that are `undefined`. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}

type Given<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The options, of which those that may be left out may also be `undefined`, where TypeScript is exact about the two. */
export type MaybeGiven<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }

/** All options, with their defaults: of `Required`, `exactOptionalPropertyTypes` leaves the `undefined`. */
export type Complete<T> = { [K in keyof T]-?: Exclude<T[K], undefined> }

export function isBlank(text: string): boolean {
  return text.trim() === ''
}
