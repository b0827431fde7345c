import type { AgePolicy, ClearPolicy, Policy } from './types.js'

/** Sends everything. */
export function off(): Policy {
  return {}
}

/** The defaults of document "Rolling Context". */
export const ROLLING_CONTEXT = {
  maxToolOutputAge: 5,
  maxToolOutputTokens: 2000,
  preserveRecentFiles: true,
  summarizeOnTruncate: false,
} as const satisfies AgePolicy

/**
 * Rolling context: tool results older than some steps are cleared, those of active files stay; ephemeral content goes
 * after its turn. It slides: whenever a result crosses the limit, the prompt cache is rewritten from there on, so it
 * saves room, not always money.
 */
export function rollingContext(settings: AgePolicy = {}): Policy {
  return { ephemeral: true, age: { ...ROLLING_CONTEXT, ...settings } }
}

/**
 * Clears the oldest tool results, all but the newest 3, whenever the context has reached 100,000 estimated tokens;
 * ephemeral content goes after its turn. The prompt cache is rewritten once for each batch and holds between them: a
 * `clearAtLeast` of some 20,000 tokens keeps batches worth their rewrite.
 */
export function clearOldToolUses(settings: ClearPolicy = {}): Policy {
  return { ephemeral: true, clear: settings }
}
