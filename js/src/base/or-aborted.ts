/** What some work comes to, or the signal's reason as soon as it is aborted: a host's function need not listen to it. */
export function orAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<Awaited<T>> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason)
    if (signal?.aborted === true) return stop()
    signal?.addEventListener('abort', stop, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', stop))
  })
}
