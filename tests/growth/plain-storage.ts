import type { KeyValueStorage } from 'trimtab/sessions'

/** A storage in memory. That of unstorage takes far longer than what is counted here: it rewrites each key for each list. */
export function plainStorage(): KeyValueStorage {
  const items = new Map<string, string>()
  return {
    getItem: async (key) => items.get(key) ?? null,
    getItems: async (keys) => keys.map((key) => ({ key, value: items.get(key) ?? null })),
    setItem: async (key, value) => void items.set(key, value),
    getKeys: async (base) => [...items.keys()].filter((key) => key.startsWith(base)),
    removeItem: async (key) => void items.delete(key),
  }
}
