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
  const commands: Word[][] = [[]]
  let word = null as Word | null
  for (let at = 0; at < text.length; ) {
    const gap = gapAt(text, at, word === null)
    if (gap === '') {
      const piece = pieceAt(text, at)
      if (piece === null) return null
      word = { text: (word?.text ?? '') + piece.text, expands: piece.expands || word?.expands === true }
      at = piece.end
      continue
    }
    if (word !== null) commands.at(-1)?.push(word)
    word = null
    if (SEPARATOR.test(gap)) commands.push([])
    at += gap.length
  }
  if (word !== null) commands.at(-1)?.push(word)
  return commands.filter((words) => words.length > 0)
}

const SEPARATOR = /^(?:&&|\|\||\|&|[;|&\n])$/

/** What may stand between words: blanks, a redirection that makes no file, a separator of commands; behind a blank, a comment. */
const GAP = /[ \t]+|(?:&>>?|>>?)[ \t]*\/dev\/null(?![^\s;&|])|>&\d(?!\S)|<(?![<>(&])|&&|\|\||\|&|[;|&\n]/y
const GAP_BEFORE_A_WORD = /\d>>?[ \t]*\/dev\/null(?![^\s;&|])|\d>&\d(?![^\s;&|])|#[^\n]*/y

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

/** Before a line end, a backslash joins two lines. */
function escaped(text: string, at: number): Piece | null {
  const next = text[at + 1]
  if (next === undefined) return null
  return { text: next === '\n' ? '' : next, expands: false, end: at + 2 }
}
