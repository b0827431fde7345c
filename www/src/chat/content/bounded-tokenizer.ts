import { Tokenizer, type Tokens } from 'marked'

/** Quotes and lists within one another that are read. Deeper ones stay text: the parser recurses, and would run out of stack. */
const DEEPEST = 24

/**
 * Characters that the search for emphasis, links and addresses may look at. It looks through the rest of a paragraph at each sign,
 * so that a paragraph of 50,000 signs took 16 s. What lies behind the limit stays text; prose needs a hundredth of it.
 */
const MOST_LOOKS = 10_000_000

/** Reads Markdown in a time and to a depth that no text can exceed. */
export class BoundedTokenizer extends Tokenizer {
  #depth = 0
  #looks = 0

  /** Before each text. */
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

  /** The lexer asks this first, wherever it stands in a paragraph. */
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
