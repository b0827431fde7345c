/** A controller that the host's signal aborts too, until it is released. */
export interface Follower {
  controller: AbortController
  release(): void
}

export function follow(signal: AbortSignal | undefined): Follower {
  const controller = new AbortController()
  const forward = () => controller.abort(signal?.reason)
  if (signal?.aborted === true) forward()
  signal?.addEventListener('abort', forward, { once: true })
  return { controller, release: () => signal?.removeEventListener('abort', forward) }
}
