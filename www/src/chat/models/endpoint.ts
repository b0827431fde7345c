import type { Fetch } from './network-model.js'

/**
 * A frame that can reach one endpoint and nothing else. The page's own policy blocks all other origins, so the request
 * is made by an empty frame without scripts. Its policy is written before its first request and allows only that
 * endpoint.
 */
let frame: { origin: string; element: HTMLIFrameElement; fetch: Promise<Fetch> } | null = null

/** Returns a `fetch` for the endpoint's origin. A call with another origin closes the frame of the one before. */
export function endpointFetch(origin: string): Promise<Fetch> {
  if (frame?.origin === origin) return frame.fetch
  closeEndpoint()
  const element = document.createElement('iframe')
  element.hidden = true
  element.title = 'Connection to the model'
  const opened = new Promise<Fetch>((resolve, reject) => {
    element.addEventListener('load', () => {
      const view = element.contentWindow as (Window & typeof globalThis) | null
      const page = element.contentDocument
      if (view === null || page?.querySelector('meta[name="endpoint"]') == null)
        return reject(new Error('endpoint.html is missing beside the page'))
      const policy = page.createElement('meta')
      policy.httpEquiv = 'Content-Security-Policy'
      policy.content = `connect-src ${origin}`
      page.head.append(policy)
      resolve((url, options) => view.fetch(url, options))
    })
  })
  element.src = './endpoint.html'
  document.body.append(element)
  frame = { origin, element, fetch: opened }
  opened.catch(closeEndpoint)
  return opened
}

/** Closes the frame and aborts its requests. */
export function closeEndpoint(): void {
  frame?.element.remove()
  frame = null
}
