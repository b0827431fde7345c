/** What browsers say if a part of the page that is loaded on demand cannot be loaded. */
const MISSING_PART = /dynamically imported module|Importing a module script failed/

/** Returns an error's message. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return MISSING_PART.test(message)
    ? 'A part of this page cannot be loaded: there is no network, or the page has a newer version. Try again, or reload the page.'
    : message
}
