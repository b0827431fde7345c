/**
 * Returns the stored text of a name; `null` if there is none or storage is denied, as in some private
 * windows.
 */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/**
 * Stores a text, or removes it if `null`. Returns `false` if storage is denied: the caller then has it only
 * in memory.
 */
export function writeStored(name: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}
