import { readStored, writeStored } from '../storage.js'
import { newId } from './new-id.js'

// Locks that the tabs of a browser share, each held until it is released or its page ends.

/** Time between two signs of life of a holder, and after which a holder without one has ended, in milliseconds. */
const [BEAT, DEAD] = [1000, 10_000]
/** The second for a hidden page, whose timers the browser runs once a minute. */
const DEAD_HIDDEN = 90_000
/** Time after which a tab that has taken a lock sees whether another one did so at the same time, in milliseconds. */
const SETTLED = 200

interface Claim {
  readonly owner: string
  readonly until: number
}

/** Holds a lock once it is free, and calls the listener then; returns a function that releases it. */
export function holdLock(name: string, onHeld: () => void): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  const never = new AbortController()
  whenFree(name, never.signal, () => {
    onHeld()
    return promise
  })
  return () => {
    never.abort()
    resolve()
  }
}

/**
 * Takes a lock; resolves to a function that releases it, or to `null` if it is not free within a time, in milliseconds.
 */
export function takeLock(name: string, patience: number): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const release = holdLock(name, () => {
      clearTimeout(timer)
      resolve(release)
    })
    const timer = setTimeout(() => {
      release()
      resolve(null)
    }, patience)
  })
}

/** Whether a tab holds a lock. */
export async function isHeld(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return (read(name)?.until ?? 0) > Date.now()
  const { held = [] } = await navigator.locks.query()
  return held.some((lock) => lock.name === name)
}

/**
 * Runs work that holds a lock, once the lock is free, until what it returns is settled. Does not run it if the signal
 * is aborted before.
 */
export function whenFree(name: string, signal: AbortSignal, work: () => Promise<void> | null): void {
  if ('locks' in navigator) navigator.locks.request(name, { signal }, work).catch(() => undefined)
  else void claim(name, signal, work)
}

/** Without the browser's locks, as in a page that is served without encryption: the holder gives signs of life. */
async function claim(name: string, signal: AbortSignal, work: () => Promise<void> | null): Promise<void> {
  const owner = newId()
  const beat = () => {
    const until = Date.now() + (document.hidden ? DEAD_HIDDEN : DEAD)
    writeStored(name, JSON.stringify({ owner, until } satisfies Claim))
  }
  const isOwn = () => read(name)?.owner === owner
  const drop = () => {
    if (isOwn()) writeStored(name, null)
  }
  while (!signal.aborted) {
    const { until } = read(name) ?? { until: 0 }
    // A holder may release it before its time.
    if (until > Date.now()) await pause(Math.min(until - Date.now(), BEAT))
    else {
      beat()
      await pause(SETTLED)
      if (isOwn()) break
    }
  }
  if (signal.aborted) return drop()
  const timer = setInterval(beat, BEAT)
  document.addEventListener('visibilitychange', beat)
  addEventListener('pagehide', drop)
  try {
    await work()
  } finally {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', beat)
    removeEventListener('pagehide', drop)
    drop()
  }
}

function read(name: string): Claim | null {
  try {
    const { owner, until } = JSON.parse(readStored(name) ?? 'null') as Claim
    return typeof owner === 'string' && typeof until === 'number' ? { owner, until } : null
  } catch {
    return null
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
