import { Tokenizer, type Tokens } from 'marked'

/**
 * Maximum depth of nested quotes and lists. Deeper ones stay text: the parser is recursive and would overflow the
 * stack.
 */
const DEEPEST = 24

/**
 * Maximum number of characters scanned for emphasis, links and addresses. The lexer scans the rest of a paragraph at
 * each special character: a paragraph of 50,000 of them took 16 s. Text beyond the limit stays text; prose needs a
 * hundredth of it.
 */
const MOST_LOOKS = 10_000_000

/** Reads Markdown with bounded time and depth for any text. */
export class BoundedTokenizer extends Tokenizer {
  #depth = 0
  #looks = 0

  /** Resets the limits; called before each text. */
  reset(): void {
    this.#depth = 0
    this.#looks = 0
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(src))
  }

  override list(src: string): Tokens.List | undefined {
    return this.#within(() => super.list(src))
  }

  /** The lexer calls this first at every position in a paragraph. */
  override escape(src: string): Tokens.Escape | undefined {
    this.#looks += src.length
    return this.#looks > MOST_LOOKS ? { type: 'escape', raw: src, text: src } : super.escape(src)
  }

  #within<T>(read: () => T): T | undefined {
    if (this.#depth >= DEEPEST) return undefined
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }
}
