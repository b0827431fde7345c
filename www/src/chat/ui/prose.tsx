import { useEffect, useMemo, useRef } from 'preact/hooks'
import { COPY_CODE, markdownHtml } from '../content/markdown.js'
import { copied, SAID } from './copy-button.js'
import { LongText } from './long-text.js'

/** Text of a model. Its markup is cleaned: see `markdownHtml`. */
export function Prose({ text }: { text: string }) {
  const html = useMemo(() => markdownHtml(text), [text])
  const prose = useRef<HTMLDivElement>(null)
  useEffect(() => prose.current?.addEventListener('click', onClick), [])
  if (html === null) return <LongText text={text} />
  return <div class="prose" ref={prose} dangerouslySetInnerHTML={{ __html: html }} />
}

/** The buttons of code blocks are part of the markup. */
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
