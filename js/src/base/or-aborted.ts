/** What some work comes to, or the signal's reason as soon as it is aborted: a host's function need not listen to it. */
export function orAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<Awaited<T>> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
    // Also of work that nobody waits for any more: a rejection that is not taken ends the host's process.
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', stop))
  })
}
