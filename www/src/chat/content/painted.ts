import { knownTokens, tokensOf } from '../highlight/highlighting.js'
import { piecesOf, type Token } from '../highlight/tokens.js'
import { languageIn } from './markdown.js'
import { patchChildren } from './patch.js'

/** The text and tokens last applied to each code block, by its index. A streaming block starts with that text. */
export type Painted = { text: string; tokens: readonly Token[] }[]

/** Longer code blocks are highlighted when they are complete: with every word would take too long. In UTF-16 units. */
const LONGEST_STREAMING = 8000

/** Highlights the code blocks in an element. Results that arrive after `isWanted` returns false are dropped. */
export function paintCode(within: Element, painted: Painted, isWanted: () => boolean): void {
  within.querySelectorAll('pre > code').forEach((code, at) => {
    const language = languageIn(code)
    const text = code.textContent
    if (language === '' || done.get(code) === text) return
    const known = knownTokens(text, language)
    const before = painted[at]
    if (known !== undefined) finish(code, text, known)
    else if (before !== undefined && text.length <= LONGEST_STREAMING && text.startsWith(before.text))
      paint(code, text, before.tokens)
    if (known !== undefined) return
    void tokensOf(text, language, isWanted).then((tokens) => {
      if (tokens === null) return
      painted[at] = { text, tokens }
      if (isWanted()) finish(code, text, tokens)
    })
  })
}

/** The text of each code block that has all its colours. */
const done = new WeakMap<Element, string>()

function finish(code: Element, text: string, tokens: readonly Token[]): void {
  done.set(code, text)
  paint(code, text, tokens)
}

function paint(code: Element, text: string, tokens: readonly Token[]): void {
  if (tokens.length === 0) return
  const painted = document.createDocumentFragment()
  painted.append(
    ...piecesOf(text, tokens).map((piece) => {
      if (piece.kind === null) return piece.text
      const span = document.createElement('span')
      span.className = `code-${piece.kind}`
      span.textContent = piece.text
      return span
    }),
  )
  patchChildren(code, painted)
}
