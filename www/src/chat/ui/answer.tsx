import { useSignal } from '@preact/signals'
import { useContext, useEffect } from 'preact/hooks'
import { finishedParts } from '../content/finished-parts.js'
import { isParserKnown, Markdown } from './markdown.js'
import { Sought } from './sought.js'

/**
 * Maximum length, in UTF-16 units, of an answer that is split into parts; longer ones are shown in portions, as plain
 * text.
 */
const LONGEST = 200_000

/** Number of parts that are rendered at first, and of those that each frame adds. */
const [FIRST, MORE] = [4, 2]

/**
 * An answer, in parts: while it streams, finished ones are not rendered again, and the finished answer reuses them. The
 * parts of a long one are rendered over several frames, so that it does not block the page.
 */
export function Answer({ text }: { text: string }) {
  const parts = text.length > LONGEST ? [text] : finishedParts(text)
  const made = useSignal(FIRST)
  const sought = useContext(Sought)
  const isAll = sought !== null || made.value >= parts.length
  const isParsing = isParserKnown.value
  useEffect(() => {
    // Parts that are added before would all be rendered at once when the parser is loaded.
    if (isAll || !isParsing) return
    const frame = requestAnimationFrame(() => (made.value += MORE))
    return () => cancelAnimationFrame(frame)
  }, [isAll, isParsing, made.value])
  return (
    <>
      {(isAll ? parts : parts.slice(0, made.value)).map((part, at) => (
        <Markdown key={at} text={part} isFirst={at === 0} />
      ))}
    </>
  )
}
