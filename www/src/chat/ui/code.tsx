import { useEffect, useState } from 'preact/hooks'
import { knownTokens, tokensOf } from '../highlight/highlighting.js'
import { coloredLines, type Piece, piecesOf, type Token } from '../highlight/tokens.js'

const NONE: readonly Token[] = []

/** The tokens of a text; until they are computed those of its start, or none. */
function useTokens(text: string, language: string): readonly Token[] {
  const [made, setMade] = useState<{ text: string; tokens: readonly Token[] } | null>(null)
  const known = knownTokens(text, language)
  useEffect(() => {
    if (known !== undefined) return
    let isWanted = true
    void tokensOf(text, language, () => isWanted).then((tokens) => {
      if (isWanted && tokens !== null) setMade({ text, tokens })
    })
    return () => {
      isWanted = false
    }
  }, [text, language, known])
  if (known !== undefined) return known
  return made !== null && text.startsWith(made.text) ? made.tokens : NONE
}

/** The highlighted lines of a text. */
export const useCodeLines = (text: string, language: string): readonly (readonly Piece[])[] =>
  coloredLines(text, useTokens(text, language))

/** Highlighted code. */
export function Code({ text, language }: { text: string; language: string }) {
  return <Pieces pieces={piecesOf(text, useTokens(text, language))} />
}

export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <>
      {pieces.map(({ text, kind }, at) =>
        kind === null ? (
          text
        ) : (
          <span key={at} class={`code-${kind}`}>
            {text}
          </span>
        ),
      )}
    </>
  )
}
