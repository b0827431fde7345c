import type { Fetch } from './network-model.js'

/**
 * A way to one endpoint, and to nothing else. The page's own policy lets it ask nobody; so the request is made by an empty
 * frame without scripts, whose policy is written before its first request and names that endpoint alone.
 */
let frame: { origin: string; element: HTMLIFrameElement; fetch: Promise<Fetch> } | null = null

/** `fetch` to the endpoint's origin. Asked for another origin, the way to the one before is closed. */
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

/** Ends the way to the endpoint, with what is under way there. */
export function closeEndpoint(): void {
  frame?.element.remove()
  frame = null
}
