/** Appends an item to the list of a key. */
export function pushTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** Groups items by a key. Groups and items keep their order. */
export function grouped<T, K = string>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) pushTo(groups, key(item), item)
  return groups
}

/** Deletes the oldest entry of a map that has more than this many. */
export function dropOldest<K>(map: Map<K, unknown>, most: number): void {
  const oldest = map.keys().next()
  if (map.size > most && !oldest.done) map.delete(oldest.value)
}
