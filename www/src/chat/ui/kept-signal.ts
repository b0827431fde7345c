import { type Signal, signal } from '@preact/signals'

const kept = new WeakMap<object, Map<string, Signal<unknown>>>()

/**
 * Returns a signal of a row that outlives its element: rows out of sight are removed from the page, and must be
 * expanded again when they return.
 */
export function keptSignal<T>(owner: object, key: string, initial: T): Signal<T> {
  const signals = kept.get(owner) ?? new Map<string, Signal<unknown>>()
  kept.set(owner, signals)
  const known = (signals.get(key) as Signal<T> | undefined) ?? signal(initial)
  signals.set(key, known as Signal<unknown>)
  return known
}
