/**
 * Resolves with the result of some work, or rejects with the signal's reason as soon as it is aborted. The
 * host's function need not observe the signal.
 */
export function orAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<Awaited<T>> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
    // Also handles the rejection of work that nobody awaits any more: an unhandled rejection ends the host's
    // process.
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', stop))
  })
}
