// The page without a network: its files are kept when it is first opened, and answered from there. Built by plugin.ts, which
// puts in the version and the names of all files.
const VERSION = '__VERSION__'
const FILES = __FILES__
const LATER = __LATER__
const CACHE = `trimtab ${VERSION}`

/** Every file once. What the browser has from a moment ago is not asked for again: names carry their content's checksum. */
async function keep() {
  const cache = await caches.open(CACHE)
  await cache.addAll(FILES)
}

/** What is large is not kept before somebody wants it. */
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

/** A page is asked for first, so that a new version is seen; what it names is of one version, and comes from where it is kept. */
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
  // Models are asked elsewhere, and answered from there alone.
  if (request.method === 'GET' && new URL(request.url).origin === location.origin)
    event.respondWith(answer(request))
})
