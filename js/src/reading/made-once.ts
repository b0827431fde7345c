import { orAborted } from '../base/or-aborted.js'
import type { TimeLimit } from './time-limit.js'
import type { FileView } from './view.js'

/** Views that are being made, by cache and key. */
const running = new WeakMap<object, Map<string, Promise<FileView>>>()

/**
 * Makes a view, or waits for an equal one that another read with the same cache is making: the model is asked once. If
 * that one is aborted or fails, or this read's time is over, the view is made after all. Without time left the model is
 * not asked, so that this is not the view that later reads wait for.
 */
export async function madeOnce(
  cache: object | undefined,
  key: string | undefined,
  { limit, signal }: { limit: TimeLimit | undefined; signal: AbortSignal | undefined },
  make: () => Promise<FileView>,
): Promise<{ view: FileView; isOwn: boolean }> {
  if (cache === undefined || key === undefined) return { view: await make(), isOwn: true }
  const views = running.get(cache) ?? new Map<string, Promise<FileView>>()
  running.set(cache, views)
  for (let other = views.get(key); other !== undefined; other = views.get(key)) {
    try {
      return { view: await orAborted(other, limit?.signal ?? signal), isOwn: false }
    } catch {
      signal?.throwIfAborted()
      if (limit?.isOver === true) return { view: await make(), isOwn: true }
    }
  }
  const own = make()
  views.set(key, own)
  try {
    return { view: await own, isOwn: true }
  } finally {
    views.delete(key)
  }
}
