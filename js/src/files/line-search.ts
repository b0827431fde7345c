import { FileSearch, search } from '../engine/search.js'
import type { Found, TextEncoding } from '../generated/types.js'

/** What is looked for in the lines of files, understood once for all of them. */
export class LineSearch {
  readonly #search: FileSearch

  /**
   * @param isExpression A regular expression of linear time (RE2 syntax), else a text.
   * @param ignoresCase Takes `A` for `a`; in expressions for ASCII letters alone.
   * @throws {TrimtabError} `invalid_option`: `pattern` is empty, too large, or no expression.
   */
  constructor(pattern: string, isExpression: boolean, ignoresCase: boolean) {
    this.#search = search.enter(() => new FileSearch(pattern, isExpression, ignoresCase))
  }

  /** How many lines of a file have it, and the first `most` of them; `undefined` for a binary file. */
  file(bytes: Uint8Array, most: number, encoding: TextEncoding | undefined): Found | undefined {
    return search.enter(() => this.#search.file(bytes, most, encoding ?? ''))
  }

  /** Gives its memory back. */
  free(): void {
    this.#search.free()
  }
}
