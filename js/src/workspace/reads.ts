import { readable, refuseWith, shown } from '../base/check.js'

/** What was last seen of each file: path to SHA-256. Plain JSON, for a saved session. */
export type SavedReads = Record<string, string>

/**
 * Which files were read, and what was in them then. By digest, so that it holds when the texts themselves were
 * cleared from the context, and after the session was saved and loaded.
 */
export class Reads {
  readonly #digests = new Map<string, string>()

  /** @throws {TrimtabError} `invalid_option` when `saved` is not what {@link toJSON} gave. */
  constructor(saved: SavedReads = {}) {
    for (const [path, digest] of readable('reads', () => Object.entries(saved))) {
      if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) {
        const message = `reads must map paths to SHA-256 digests, found ${shown(digest)} for ${shown(path)}`
        refuseWith('reads', message)
      }
      this.#digests.set(path, digest)
    }
  }

  /** The digest of the file when it was last read or written here. */
  digest(path: string): string | undefined {
    return this.#digests.get(path)
  }

  /** Notes what is in a file now, for tools that show it some other way than by `readFile`. */
  set(path: string, digest: string): void {
    this.#digests.set(path, digest)
  }

  /** Forgets a file. */
  delete(path: string): void {
    this.#digests.delete(path)
  }

  /** To be saved, and given to `createWorkspace({ reads })`. */
  toJSON(): SavedReads {
    return Object.fromEntries(this.#digests)
  }
}
