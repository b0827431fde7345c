import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { kerningOf } from '../content/long-word.js'
import { COPY_CODE, markdownHtml } from '../content/markdown.js'
import { type Painted, paintCode } from '../content/painted.js'
import { patchChildren } from '../content/patch.js'
import { copied, SAID } from './copy-button.js'
import { LongText } from './long-text.js'

export interface ProseProps {
  readonly text: string
  /** Whether it is the first part of an answer, or all of it. */
  readonly isFirst?: boolean
}

/** Renders a model's text as HTML that is sanitized by `markdownHtml`. */
export function Prose({ text, isFirst = true }: ProseProps) {
  const html = useMemo(() => markdownHtml(text), [text])
  const kerning = useMemo(() => kerningOf(text), [text])
  const prose = useRef<HTMLDivElement>(null)
  const painted = useRef<Painted>([])
  useEffect(() => prose.current?.addEventListener('click', onClick), [])
  useLayoutEffect(() => {
    let isWanted = true
    if (prose.current !== null && html !== null) write(prose.current, html)
    if (prose.current !== null) paintCode(prose.current, painted.current, () => isWanted)
    return () => {
      isWanted = false
    }
  }, [html])
  if (html === null) return <LongText text={text} />
  return <div class={`prose ${isFirst ? '' : 'prose-next'} ${kerning}`} ref={prose} />
}

function write(prose: Element, html: string): void {
  const wanted = document.createElement('template')
  wanted.innerHTML = html
  patchChildren(prose, wanted.content)
}

/** Handles the copy buttons of code blocks, which are part of the HTML. */
function onClick({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest(`.${COPY_CODE}`) : null
  if (button !== null) void copyCode(button)
}

async function copyCode(button: Element): Promise<void> {
  if (!(await copied(button.previousElementSibling?.textContent ?? ''))) return
  const { textContent } = button
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = textContent), SAID)
}
