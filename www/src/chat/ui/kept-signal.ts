import { type Signal, signal } from '@preact/signals'

const kept = new WeakMap<object, Map<string, Signal<unknown>>>()

/** A signal of a row's that outlives it: rows that are out of sight are taken out of the page, and open ones are to be open again. */
export function keptSignal<T>(owner: object, key: string, initial: T): Signal<T> {
  const signals = kept.get(owner) ?? new Map<string, Signal<unknown>>()
  kept.set(owner, signals)
  const known = (signals.get(key) as Signal<T> | undefined) ?? signal(initial)
  signals.set(key, known as Signal<unknown>)
  return known
}
