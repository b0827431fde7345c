import { useEffect, useMemo, useRef } from 'preact/hooks'
import { COPY_CODE, markdownHtml } from '../content/markdown.js'
import { copied, SAID } from './copy-button.js'
import { LongText } from './long-text.js'

/** Renders a model's text as HTML that is sanitized by `markdownHtml`. */
export function Prose({ text }: { text: string }) {
  const html = useMemo(() => markdownHtml(text), [text])
  const prose = useRef<HTMLDivElement>(null)
  useEffect(() => prose.current?.addEventListener('click', onClick), [])
  if (html === null) return <LongText text={text} />
  return <div class="prose" ref={prose} dangerouslySetInnerHTML={{ __html: html }} />
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
