import { FileSearch, search } from '../engine/search.js'
import type { Found, TextEncoding } from '../generated/types.js'

/** A pattern to search for in the lines of files, compiled once for all files. */
export class LineSearch {
  readonly #search: FileSearch

  /**
   * @param isExpression Whether the pattern is a regular expression (RE2 syntax, linear time) instead of a
   *   text.
   * @param ignoresCase Whether `A` matches `a`; in expressions only for ASCII letters.
   * @throws {TrimtabError} `invalid_option`: `pattern` is empty, too large, or not a valid expression.
   */
  constructor(pattern: string, isExpression: boolean, ignoresCase: boolean) {
    this.#search = search.enter(() => new FileSearch(pattern, isExpression, ignoresCase))
  }

  /**
   * Number of matching lines of a file, and the first `most` of them; `undefined` for a binary file. Stops if `isOver`,
   * which is asked every 16 KB, and more
   * often if the expression is large.
   */
  file(
    bytes: Uint8Array,
    most: number,
    encoding: TextEncoding | undefined,
    isOver: () => boolean,
  ): Found | undefined {
    return search.enter(() => this.#search.file(bytes, most, encoding ?? '', { isOver }))
  }

  /** Frees its memory. */
  free(): void {
    this.#search.free()
  }
}
