import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'
import { count } from '../../numbers.js'
import { kerningOf } from '../content/long-word.js'
import { firstPart } from '../content/portion.js'
import { readable } from '../content/terminal.js'
import { foundIn } from '../search/found-in.js'
import { Sought } from './sought.js'

interface Props {
  readonly text: string
  /** Renders the part, which may have escape sequences; by default without them, as plain text. */
  children?(part: string): ComponentChildren
}

/** Shows a text of any length, in portions at the reader's request. */
export function LongText({ text, children }: Props) {
  const portions = useSignal(1)
  const sought = useContext(Sought)
  useLayoutEffect(() => {
    const place = sought === null ? null : foundIn(text, sought)
    if (place === null) return
    while (
      !firstPart(text, portions.peek()).isAll &&
      firstPart(text, portions.peek()).text.length < place.end
    )
      portions.value *= 4
  }, [sought, text])
  const { text: part, isAll } = firstPart(text, portions.value)
  return (
    <>
      {children === undefined ? <p class={`plain ${kerningOf(part)}`}>{readable(part)}</p> : children(part)}
      {isAll ? null : (
        <button
          type="button"
          class="link"
          onClick={() => {
            portions.value *= 4
          }}
        >
          Show more · {count(text.length - part.length)} characters left
        </button>
      )}
    </>
  )
}
