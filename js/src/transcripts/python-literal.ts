/**
 * Parses the output of Python's `repr` for dicts, lists, tuples, strings, numbers, True, False and None: some tools
 * store it in place of JSON. Returns `undefined` for anything else (a call, a name, an f-string).
 */
export function parsePythonLiteral(text: string): unknown {
  const reader = new Reader(text)
  try {
    const value = reader.value(0)
    return reader.atEnd() ? value : undefined
  } catch (error) {
    if (error instanceof NotALiteral) return undefined
    throw error
  }
}

class NotALiteral extends Error {}

const MAX_DEPTH = 200
const WORDS = new Map<string, unknown>([
  ['None', null],
  ['True', true],
  ['False', false],
  // JSON's keywords, so that mixed text can be parsed.
  ['null', null],
  ['true', true],
  ['false', false],
])
const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
  ['\n', ''],
])
const HEX_DIGITS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  atEnd(): boolean {
    this.#space()
    return this.#at === this.#text.length
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new NotALiteral()
    this.#space()
    const next = this.#text.charAt(this.#at)
    if (next === '{') return this.#dict(depth)
    if (next === '[') return this.#sequence(']', depth)
    if (next === '(') return this.#sequence(')', depth)
    if (next === "'" || next === '"') return this.#string(next)
    return this.#wordOrNumber()
  }

  #dict(depth: number): unknown {
    const entries: [string, unknown][] = []
    this.#at += 1
    while (!this.#take('}')) {
      const key = this.value(depth + 1)
      if (!this.#take(':')) throw new NotALiteral()
      entries.push([String(key), this.value(depth + 1)])
      if (!this.#take(',') && !this.#peek('}')) throw new NotALiteral()
    }
    return Object.fromEntries(entries)
  }

  #sequence(end: string, depth: number): unknown[] {
    const items: unknown[] = []
    this.#at += 1
    while (!this.#take(end)) {
      items.push(this.value(depth + 1))
      if (!this.#take(',') && !this.#peek(end)) throw new NotALiteral()
    }
    return items
  }

  #string(quote: string): string {
    const parts: string[] = []
    let from = this.#at + 1
    for (let at = from; at < this.#text.length; at += 1) {
      const char = this.#text.charAt(at)
      if (char === quote) {
        parts.push(this.#text.slice(from, at))
        this.#at = at + 1
        return parts.join('')
      }
      if (char !== '\\') continue
      const [decoded, end] = this.#escape(at + 1)
      parts.push(this.#text.slice(from, at), decoded)
      from = end
      at = end - 1
    }
    throw new NotALiteral()
  }

  /** Returns the character that an escape sequence stands for, and the position after it. */
  #escape(at: number): [string, number] {
    const kind = this.#text.charAt(at)
    const digits = HEX_DIGITS.get(kind)
    if (digits !== undefined) {
      const hex = this.#text.slice(at + 1, at + 1 + digits)
      const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : Number.NaN
      if (!(code <= 0x10ffff)) throw new NotALiteral()
      return [String.fromCodePoint(code), at + 1 + digits]
    }
    const known = ESCAPES.get(kind)
    if (known !== undefined) return [known, at + 1]
    // Python keeps the backslash of an unknown escape.
    return [kind === '\\' || kind === "'" || kind === '"' ? kind : `\\${kind}`, at + 1]
  }

  #wordOrNumber(): unknown {
    const pattern = /[A-Za-z]+|[-+]?(?:\d[\d_]*)?\.?\d*(?:[eE][-+]?\d+)?/y
    pattern.lastIndex = this.#at
    const word = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += word.length
    if (WORDS.has(word)) return WORDS.get(word)
    const number = Number(word.replaceAll('_', ''))
    if (word === '' || !Number.isFinite(number)) throw new NotALiteral()
    return number
  }

  #take(char: string): boolean {
    if (!this.#peek(char)) return false
    this.#at += 1
    return true
  }

  #peek(char: string): boolean {
    this.#space()
    return this.#text.charAt(this.#at) === char
  }

  #space(): void {
    while (this.#at < this.#text.length && ' \n\r\t'.includes(this.#text.charAt(this.#at))) this.#at += 1
  }
}
