// Serves the page offline: caches its files when the page is first opened and answers requests from that
// cache. plugin.ts builds this file and inserts the version and the names of all files.
const VERSION = '__VERSION__'
const FILES = __FILES__
const LATER = __LATER__
const CACHE = `trimtab ${VERSION}`

/**
 * Caches every file. `addAll` uses the HTTP cache, so files just downloaded are not downloaded again; a
 * change of content changes the name, which contains a checksum.
 */
async function keep() {
  const cache = await caches.open(CACHE)
  await cache.addAll(FILES)
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
    return await fetch(request)
  } catch (error) {
    const page = await kept()
    if (page === undefined) throw error
    return page
  }
}

addEventListener('install', (event) => event.waitUntil(keep().then(() => skipWaiting())))
addEventListener('activate', (event) => event.waitUntil(forgetEarlier().then(() => clients.claim())))
addEventListener('fetch', (event) => {
  const { request } = event
  // Requests to models go to other origins and are never cached.
  if (request.method === 'GET' && new URL(request.url).origin === location.origin)
    event.respondWith(answer(request))
})
