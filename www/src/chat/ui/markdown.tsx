import { lazily } from './lazily.js'
import { LongText } from './long-text.js'
import type { ProseProps } from './prose.js'

/** Renders a model's text as Markdown; as plain text until the Markdown parser is loaded. */
export const Markdown = lazily(
  async () => (await import('./prose.js')).Prose,
  ({ text }: ProseProps) => <LongText text={text} />,
)
