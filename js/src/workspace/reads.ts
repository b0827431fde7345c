import { readable, refuseWith, shown } from '../base/check.js'

/** SHA-256 of each file as last seen, by path. Plain JSON, for a saved session. */
export type SavedReads = Record<string, string>

/**
 * Records which files were read, and their content at that time as a digest: it remains valid after the texts were
 * cleared from the context, and after the session was saved and loaded.
 */
export class Reads {
  readonly #digests = new Map<string, string>()

  /** @throws {TrimtabError} `invalid_option` if `saved` is not a result of {@link toJSON}. */
  constructor(saved: SavedReads = {}) {
    for (const [path, digest] of readable('reads', () => Object.entries(saved))) {
      if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) {
        const message = `reads must map paths to SHA-256 digests, found ${shown(digest)} for ${shown(path)}`
        refuseWith('reads', message)
      }
      this.#digests.set(path, digest)
    }
  }

  /** Returns the digest of the file when it was last read or written here. */
  digest(path: string): string | undefined {
    return this.#digests.get(path)
  }

  /** Records the current content of a file, for tools that show it by other means than `readFile`. */
  set(path: string, digest: string): void {
    this.#digests.set(path, digest)
  }

  /** Removes a file. */
  delete(path: string): void {
    this.#digests.delete(path)
  }

  /** Returns the reads, to be saved and passed to `createWorkspace({ reads })`. */
  toJSON(): SavedReads {
    return Object.fromEntries(this.#digests)
  }
}
