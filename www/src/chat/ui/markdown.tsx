import { signal } from '@preact/signals'
import { lazily } from './lazily.js'
import { LongText } from './long-text.js'
import type { ProseProps } from './prose.js'

/** Whether the Markdown parser is loaded, or cannot be. */
export const isParserKnown = signal(false)

/** Renders a model's text as Markdown; as plain text until the Markdown parser is loaded. */
export const Markdown = lazily(
  async () => {
    try {
      return (await import('./prose.js')).Prose
    } finally {
      isParserKnown.value = true
    }
  },
  ({ text }: ProseProps) => <LongText text={text} />,
)
