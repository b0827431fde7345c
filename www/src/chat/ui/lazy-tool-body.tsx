import { lazily } from './lazily.js'

/** The body of a card: terminal colours, diffs, lines. Loaded when the first card is opened. */
export const LazyToolBody = lazily(async () => (await import('./tool-body.js')).ToolBody)
