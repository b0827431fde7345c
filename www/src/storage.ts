/** What this browser keeps under a name; `null` where it keeps nothing, or where storage is denied, as in some private windows. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Keeps a text, or forgets it. `false` where storage is denied: then it lasts as long as the page. */
export function writeStored(name: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}
