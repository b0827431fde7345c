/** Kind of a piece of code that has a colour; the class of its element is `code-KIND`. */
export type TokenKind = 'comment' | 'string' | 'number' | 'keyword' | 'name' | 'type' | 'added' | 'removed'

/** A run of characters of one kind; `null` for the default colour. `length` is in UTF-16 units. */
export interface Token {
  readonly length: number
  readonly kind: TokenKind | null
}

/** A part of a text with its kind. */
export interface Piece {
  readonly text: string
  readonly kind: TokenKind | null
}

/** Splits a text by tokens. They may cover only its start, as for a streaming text: the rest has no kind. */
export function piecesOf(text: string, tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { length, kind } of tokens) {
    if (at >= text.length) break
    pieces.push({ text: text.slice(at, at + length), kind })
    at += length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), kind: null })
  return pieces
}

/** Splits a text by tokens and lines. Pieces have no line ends. */
export function coloredLines(text: string, tokens: readonly Token[]): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const piece of piecesOf(text, tokens)) {
    const [first = '', ...rest] = piece.text.split('\n')
    if (first !== '') lines.at(-1)?.push({ text: first, kind: piece.kind })
    for (const line of rest) lines.push(line === '' ? [] : [{ text: line, kind: piece.kind }])
  }
  return lines
}
