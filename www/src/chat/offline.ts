import { reasonOf } from './agent/reason.js'
import { watchVersions } from './new-version.js'
import { notice } from './opening.js'

/** Tells the user if a part of the page cannot be loaded: the place that needs it may show nothing. */
export function tellMissingParts(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    notice.value = reasonOf(payload)
  })
}

/** Caches the page's files once the page has loaded, so that the next visit needs no network. */
export function workOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // The first paint has priority: the other files are requested after the page has loaded.
  const keep = () =>
    navigator.serviceWorker.register('./service-worker.js').then(watchVersions, () => undefined)
  // Without a network the files cannot be cached.
  addEventListener('online', keep)
  if (document.readyState === 'complete') setTimeout(keep, REST)
  else addEventListener('load', () => setTimeout(keep, REST), { once: true })
}

/** Delay after the page has loaded, in milliseconds. */
const REST = 3000
