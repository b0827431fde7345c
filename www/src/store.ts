/** A value that notifies its listeners when it is replaced. */
interface Store<T> {
  get(): T
  set(patch: Partial<T>): void
  subscribe(listener: (now: T, before: T) => void): void
}

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial
  const listeners: ((now: T, before: T) => void)[] = []
  return {
    get: () => value,
    set(patch) {
      const before = value
      value = { ...value, ...patch }
      for (const listener of listeners) {
        listener(value, before)
      }
    },
    subscribe(listener) {
      listeners.push(listener)
    },
  }
}
