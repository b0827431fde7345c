/** A word of a command, without its quotes. */
export interface Word {
  readonly text: string
  /** Whether the shell expands the word: a variable, or a pattern of file names. */
  readonly expands: boolean
}

/**
 * Splits a shell text into commands, each a list of words. Returns null if the words do not show what runs and what is
 * written: substitutions, redirections into files, groups, here-documents, an open quote.
 *
 * The package `shell-quote` treats a line end as a blank: `ls`, and `rm f` in the next line, are one command to it.
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
  /** Whether the next word is the file of an input redirection, and so not an argument. */
  #isInput = false

  get isBetweenWords(): boolean {
    return this.#word === null
  }

  addPiece({ text, expands }: Word): void {
    this.#word = { text: (this.#word?.text ?? '') + text, expands: expands || this.#word?.expands === true }
  }

  /** Adds a gap between words; returns false if it leaves unclear what runs. */
  addGap(gap: string): boolean {
    if (gap === JOINED_LINES) return true
    const redirects = /^[\d&]*[<>]/.test(gap)
    // An unquoted number right before a redirection belongs to it.
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
/** A line continuation: neither a word nor a gap. */
const JOINED_LINES = '\\\n'

/**
 * Gap between words: blanks, a redirection that creates no file, a command separator; after a blank also a comment. `&>` is
 * two signs to some shells, which run what stands behind it. A descriptor from 3 on may be a file that an earlier `exec`
 * opened.
 */
const GAP =
  /\\\n|[ \t]+|&>>?[ \t]*\/dev\/null(?=[ \t]*(?:[;&|\n]|$))|>>?[ \t]*\/dev\/null(?![^ \t\n;&|])|>&[0-2](?![^ \t\n])|<(?![<>(&])|&&|\|\||\|&|[;|&\n]/y
const GAP_BEFORE_A_WORD =
  /\d+>>?[ \t]*\/dev\/null(?![^ \t\n;&|])|\d+>&[0-2](?![^ \t\n;&|])|\d+<(?![<>(&])|#[^\n]*/y

const gapAt = (text: string, at: number, isBetweenWords: boolean): string =>
  (isBetweenWords && matchAt(GAP_BEFORE_A_WORD, text, at)) || matchAt(GAP, text, at)

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0] ?? ''
}

interface Piece extends Word {
  readonly end: number
}

/** Parses a quoted part of a word, or one character. */
function pieceAt(text: string, at: number): Piece | null {
  const char = text[at] as string
  if (char === "'") return singleQuoted(text, at)
  if (char === '"') return doubleQuoted(text, at)
  if (char === '\\') return escaped(text, at)
  // The mark of `find` and `xargs` for a file.
  if (text.startsWith('{}', at)) return { text: '{}', expands: false, end: at + 2 }
  if (char === '$' && !VARIABLE.test(text.slice(at, at + 2))) return null
  if ('`<>(){}\r'.includes(char)) return null
  return { text: char, expands: '$*?[]~'.includes(char), end: at + 1 }
}

const VARIABLE = /\$[\w?#@*!$-]/

function singleQuoted(text: string, at: number): Piece | null {
  const end = text.indexOf("'", at + 1)
  return end === -1 ? null : { text: text.slice(at + 1, end), expands: false, end: end + 1 }
}

/** Substitutions inside double quotes run as commands, so they are not accepted. */
function doubleQuoted(text: string, at: number): Piece | null {
  DOUBLE_QUOTED.lastIndex = at
  const quoted = DOUBLE_QUOTED.exec(text)
  if (!quoted) return null
  const inside = quoted[1] as string
  const bare = inside.replace(/\\[\s\S]/g, '')
  // PowerShell runs `\$(...)`: a backslash escapes nothing there.
  if (/`|\$[({[]/.test(bare) || inside.includes('$(') || mayEndEarlier(inside)) return null
  return {
    text: inside.replace(/\\([$`"\\])|\\\n/g, '$1'),
    expands: VARIABLE.test(bare),
    end: DOUBLE_QUOTED.lastIndex,
  }
}

/** Whether a command may stand in a quoted text to shells without escapes: those of Windows end it at `\"`. */
function mayEndEarlier(quoted: string): boolean {
  const end = quoted.indexOf('\\"')
  return end !== -1 && /[;&|\n]/.test(quoted.slice(end))
}

const DOUBLE_QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y

function escaped(text: string, at: number): Piece | null {
  const next = text[at + 1]
  if (next === undefined || next === '>') return null
  const behind = BEHIND_ESCAPED.get(SEPARATOR.test(next) ? ';' : next)
  if (behind !== undefined && !behind.test(text.slice(at + 2))) return null
  return { text: next, expands: false, end: at + 2 }
}

/**
 * What may stand behind `\;` and `\(`, as `find` needs them: shells of Windows take one for the end of a command, and run
 * what stands behind the other.
 */
const BEHIND_ESCAPED: ReadonlyMap<string, RegExp> = new Map([
  [';', /^[ \t]*(?:$|-|[;&|\n])/],
  ['(', /^[ \t]+(?:-|!|\\[(!])/],
])
