import { lazily } from './lazily.js'
import { LongText } from './long-text.js'

/** Text of a model. It stands there as it is until what reads Markdown has come. */
export const Markdown = lazily(
  async () => (await import('./prose.js')).Prose,
  ({ text }: { text: string }) => <LongText text={text} />,
)
