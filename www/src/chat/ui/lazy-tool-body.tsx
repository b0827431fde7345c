import { lazily } from './lazily.js'

/** The inside of a card: colours of terminals, diffs, lines. Nothing of it is needed before one opens. */
export const LazyToolBody = lazily(async () => (await import('./tool-body.js')).ToolBody)
