import { useMemo } from 'preact/hooks'
import { markdownHtml } from '../content/markdown.js'
import { LongText } from './long-text.js'

/** Text of a model. Its markup is cleaned: see `markdownHtml`. */
export function Prose({ text }: { text: string }) {
  const html = useMemo(() => markdownHtml(text), [text])
  if (html === null) return <LongText text={text} />
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
