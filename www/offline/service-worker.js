// Serves the page offline: caches its files when the page is first opened and answers requests from that
// cache. plugin.ts builds this file and inserts the version and the names of all files.
const VERSION = '__VERSION__'
const FILES = __FILES__
const LATER = __LATER__
const CACHE = `trimtab ${VERSION}`

/** Files with a checksum in their names. The HTTP cache may have an earlier version of any other file. */
const HASHED = /^\.\/assets\//

/**
 * Caches every file. `addAll` uses the HTTP cache, so hashed files just downloaded are not downloaded
 * again. A page of an earlier version would name files that this cache does not have.
 */
async function keep() {
  const cache = await caches.open(CACHE)
  await cache.addAll(
    FILES.map((name) => new Request(name, { cache: HASHED.test(name) ? 'default' : 'no-cache' })),
  )
}

/** Fetches a file from the network. Caches large files (`LATER`) when they are first requested. */
async function fetched(request, url, cache) {
  const response = await fetch(request)
  if (response.ok && LATER.test(url.pathname)) await cache.put(url.pathname, response.clone())
  return response
}

async function forgetEarlier() {
  const names = await caches.keys()
  const earlier = names.filter((name) => name.startsWith('trimtab ') && name !== CACHE)
  await Promise.all(earlier.map((name) => caches.delete(name)))
}

/**
 * Requests a page from the network first, to get a new version. The files that a page names belong to one
 * version and come from the cache first.
 */
async function answer(request) {
  const cache = await caches.open(CACHE)
  const isPage = request.mode === 'navigate'
  const url = new URL(request.url)
  const kept = () => cache.match(url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname)
  if (!isPage) return (await kept()) ?? fetched(request, url, cache)
  try {
    // A page from the HTTP cache may name files of a version that is gone.
    return await fetch(request, { cache: 'no-cache' })
  } catch (error) {
    const page = await kept()
    if (page === undefined) throw error
    return page
  }
}

// A new version waits until no page of the one before is open: that page loads parts of itself later, and
// they are only in the cache that activation deletes.
addEventListener('install', (event) => event.waitUntil(keep()))
addEventListener('activate', (event) => event.waitUntil(forgetEarlier().then(() => clients.claim())))
addEventListener('fetch', (event) => {
  const { request } = event
  // Requests to models go to other origins and are never cached.
  if (request.method === 'GET' && new URL(request.url).origin === location.origin)
    event.respondWith(answer(request))
})
// Tells a page whether it is of this version.
addEventListener('message', ({ data, ports }) => ports[0]?.postMessage(FILES.includes(data?.has)))
