import { signal } from '@preact/signals'

/** Whether a newer version of the page was stored, which a reload opens. */
export const isOutdated = signal(false)

/** Minimum time between two looks for a new version, in milliseconds. */
const HOUR = 3_600_000

let isWatching = false

/** Notices newer versions, also in a page that is open for days. */
export function watchVersions(registration: ServiceWorkerRegistration): void {
  // The page registers its worker again when the network is back.
  if (isWatching) return
  isWatching = true
  const look = () => {
    const next = registration.waiting
    if (next !== null) void isOther(next).then((is) => (isOutdated.value ||= is))
  }
  look()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look)
  })
  let asked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - asked < HOUR) return
    asked = Date.now()
    // Without a network the next look finds it.
    registration.update().catch(() => undefined)
  })
}

/**
 * Whether a worker is of another version than this page: the page may be the new one already, while its worker waits
 * for pages of the version before.
 */
function isOther(worker: ServiceWorker): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  const own = document.querySelector('script')?.getAttribute('src') ?? ''
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<boolean>) => resolve(!data)
    worker.postMessage({ has: own }, [port2])
  })
}
