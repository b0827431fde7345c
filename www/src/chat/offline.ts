/** Keeps the page's files in the browser once they are all here, so that the next visit needs no network. */
export function workOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // The first look comes first: the rest of the files is asked for when the page stands.
  const keep = () => navigator.serviceWorker.register('./service-worker.js').catch(() => undefined)
  if (document.readyState === 'complete') setTimeout(keep, REST)
  else addEventListener('load', () => setTimeout(keep, REST), { once: true })
}

/** Milliseconds after the page stands. */
const REST = 3000
