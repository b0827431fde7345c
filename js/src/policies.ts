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

/** Settings of {@link smartRetention}, as document "Smart Tool History" names them. */
export interface SmartRetentionSettings {
  /** Of up to this many reads of the same lines the first and the last stay; of more, this many. Default 5. */
  maxFileReads?: number
  /** Shell output over this many UTF-16 units keeps its head and tail. Default 10,000. */
  bashTruncate?: number
}

/**
 * Smart retention: of many reads of the same lines the first, the last and some between stay; long shell output keeps
 * its head and tail (2,000 characters each); edits always stay; ephemeral content goes after its turn. A newer read of
 * the same lines turns an older one into a pointer, which rewrites the prompt cache from there on.
 */
export function smartRetention(settings: SmartRetentionSettings = {}): Policy {
  const { maxFileReads = 5, bashTruncate = 10_000 } = settings
  const end = Math.min(2000, Math.floor(bashTruncate / 4))
  return {
    ephemeral: true,
    reads: { maxFileReads },
    clip: { maxChars: bashTruncate, headChars: end, tailChars: end },
  }
}
