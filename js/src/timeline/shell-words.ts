/** A word of a command, without its quotes. */
export interface Word {
  readonly text: string
  /** Whether the shell puts something else in its place: a variable, names of files. */
  readonly expands: boolean
}

/**
 * The commands in a text of shell, each as its words. Null where the words do not say what runs and what is written:
 * substitutions, redirections into files, groups, here-documents, an open quote.
 *
 * `shell-quote` of the registry takes a line end for a blank: `ls`, and `rm f` in the next line, are one command to it.
 */
export function shellCommands(text: string): Word[][] | null {
  const commands = new Commands()
  for (let at = 0; at < text.length; ) {
    const gap = gapAt(text, at, commands.isBetweenWords)
    const piece = gap === '' ? pieceAt(text, at) : null
    if (piece !== null) commands.addPiece(piece)
    else if (gap === '' || !commands.addGap(gap)) return null
    at = piece?.end ?? at + gap.length
  }
  return commands.addGap('\n') ? commands.all() : null
}

class Commands {
  readonly #commands: Word[][] = [[]]
  #word: Word | null = null
  /** Whether the word that comes is the file that input is read from, and so no word of the command. */
  #isInput = false

  get isBetweenWords(): boolean {
    return this.#word === null
  }

  addPiece({ text, expands }: Word): void {
    this.#word = { text: (this.#word?.text ?? '') + text, expands: expands || this.#word?.expands === true }
  }

  /** False where it does not say what runs. */
  addGap(gap: string): boolean {
    if (gap === JOINED_LINES) return true
    const redirects = /^[\d&]*[<>]/.test(gap)
    // Without quotes, a number right before a redirection belongs to it.
    if (redirects && /^\d+$/.test(this.#word?.text ?? '')) return false
    if (this.#word !== null && !this.#isInput) this.#commands.at(-1)?.push(this.#word)
    this.#isInput &&= this.#word === null
    this.#word = null
    if (this.#isInput) return BLANKS.test(gap)
    this.#isInput = redirects && gap.endsWith('<')
    if (SEPARATOR.test(gap)) this.#commands.push([])
    return true
  }

  all(): Word[][] {
    return this.#commands.filter((words) => words.length > 0)
  }
}

const SEPARATOR = /^(?:&&|\|\||\|&|[;|&\n])$/
const BLANKS = /^[ \t]+$/
/** Neither a word nor a gap. */
const JOINED_LINES = '\\\n'

/** What may stand between words: blanks, a redirection that makes no file, a separator of commands; behind a blank, a comment. */
const GAP =
  /\\\n|[ \t]+|(?:&>>?|>>?)[ \t]*\/dev\/null(?![^\s;&|])|>&\d(?!\S)|<(?![<>(&])|&&|\|\||\|&|[;|&\n]/y
const GAP_BEFORE_A_WORD = /\d+>>?[ \t]*\/dev\/null(?![^\s;&|])|\d+>&\d(?![^\s;&|])|\d+<(?![<>(&])|#[^\n]*/y

const gapAt = (text: string, at: number, isBetweenWords: boolean): string =>
  (isBetweenWords && matchAt(GAP_BEFORE_A_WORD, text, at)) || matchAt(GAP, text, at)

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0] ?? ''
}

interface Piece extends Word {
  readonly end: number
}

/** A quoted part of a word, or one character. */
function pieceAt(text: string, at: number): Piece | null {
  const char = text[at] as string
  if (char === "'") return singleQuoted(text, at)
  if (char === '"') return doubleQuoted(text, at)
  if (char === '\\') return escaped(text, at)
  if (char === '$' && !VARIABLE.test(text.slice(at, at + 2))) return null
  if ('`<>(){}\r'.includes(char)) return null
  return { text: char, expands: '$*?[]~'.includes(char), end: at + 1 }
}

const VARIABLE = /\$[\w?#@*!$-]/

function singleQuoted(text: string, at: number): Piece | null {
  const end = text.indexOf("'", at + 1)
  return end === -1 ? null : { text: text.slice(at + 1, end), expands: false, end: end + 1 }
}

/** What is substituted between double quotes runs as a command of its own. */
function doubleQuoted(text: string, at: number): Piece | null {
  DOUBLE_QUOTED.lastIndex = at
  const quoted = DOUBLE_QUOTED.exec(text)
  if (!quoted) return null
  const inside = quoted[1] as string
  const bare = inside.replace(/\\[\s\S]/g, '')
  if (/`|\$[({[]/.test(bare)) return null
  return {
    text: inside.replace(/\\([$`"\\])|\\\n/g, '$1'),
    expands: VARIABLE.test(bare),
    end: DOUBLE_QUOTED.lastIndex,
  }
}

const DOUBLE_QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y

function escaped(text: string, at: number): Piece | null {
  const next = text[at + 1]
  return next === undefined ? null : { text: next, expands: false, end: at + 2 }
}
