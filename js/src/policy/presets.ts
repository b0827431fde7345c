import { COUNT, checkOptions, kind, OBJECT, type Shape, SWITCH } from '../base/check.js'
import { ROLLING_CONTEXT } from '../generated/protocol.js'
import type { AgePolicy, ClearPolicy, Policy } from '../generated/types.js'

/** Sends everything. */
export function off(): Policy {
  return {}
}

/** The names of a pass's settings. The engine checks their values when the policy is used. */
export const AGE_SETTINGS = {
  maxToolOutputAge: null,
  maxToolOutputTokens: null,
  preserveRecentFiles: null,
  summarizeOnTruncate: null,
  excludeTools: null,
} as const satisfies Shape & Record<keyof AgePolicy, null>

const CLEAR_SETTINGS = {
  trigger: null,
  keep: null,
  downTo: null,
  clearAtLeast: null,
  excludeTools: null,
  includeTools: null,
  clearErrors: null,
  clearToolInputs: null,
  placeholder: null,
} as const satisfies Shape & Record<keyof ClearPolicy, null>

/**
 * Rolling context: clears tool results older than some steps, except those of active files; ephemeral content is
 * removed after its turn. Whenever a result reaches the limit, the prompt cache is rewritten from there on. So it saves
 * room in the context window, not always money.
 *
 * @throws {TrimtabError} `invalid_option` for an unknown setting; the value of a setting is checked when the policy is
 * used.
 */
export function rollingContext(settings: AgePolicy = {}): Policy {
  settings = checkOptions(settings, AGE_SETTINGS, 'rollingContext')
  return { ephemeral: true, age: { ...ROLLING_CONTEXT, ...settings }, recall: true }
}

/**
 * Clears all tool results but the newest 3 whenever the context has reached 100,000 estimated tokens; ephemeral content
 * is removed after its turn. The prompt cache is rewritten once for each batch and is valid between batches. A
 * `clearAtLeast` of some 20,000 tokens makes each batch worth its rewrite.
 *
 * @throws {TrimtabError} `invalid_option` for an unknown setting; the value of a setting is checked when the policy is
 * used.
 */
export function clearOldToolUses(settings: ClearPolicy = {}): Policy {
  settings = checkOptions(settings, CLEAR_SETTINGS, 'clearOldToolUses')
  return { ephemeral: true, clear: settings, recall: true }
}

const AMOUNT = kind(
  `${COUNT.words}, or { type: 'input_tokens', value }`,
  // The engine checks the object's fields.
  (value) => COUNT.is(value) || OBJECT.is(value),
)

const SMART_RETENTION = {
  maxFileReads: COUNT,
  keepAllEdits: SWITCH,
  compressEdits: kind(`${COUNT.words}, or false`, (value) => value === false || COUNT.is(value)),
  bashTruncate: COUNT,
  clearAtLeast: AMOUNT,
}

/** Settings of {@link smartRetention}, as document "Smart Tool History" names them. */
export interface SmartRetentionSettings {
  /**
   * Up to this many reads of the same lines: the first and the last are kept. More reads: this many are kept,
   * at least two. Default 5.
   */
  maxFileReads?: number | undefined
  /**
   * Keeps the texts that edits wrote into files, except for those that `compressEdits` replaces; if false,
   * long texts of edits older than 10 steps are cut as well. Default true.
   */
  keepAllEdits?: boolean | undefined
  /**
   * Steps after which three or more edits of one file are replaced with a list of what each did; `false` for
   * never. Default 10.
   */
  compressEdits?: number | false | undefined
  /** Shell output over this many UTF-16 units is cut to its head and tail. Default 10,000. */
  bashTruncate?: number | undefined
  /** New edits wait until they save this many estimated tokens together; needs a `Context` or `state`. Default 0. */
  clearAtLeast?: Policy['clearAtLeast'] | undefined
}

/**
 * Smart retention. Of many reads of the same lines it keeps the first, the last and some others. A read that a newer
 * one covers, or whose file was changed since, is replaced with a pointer or a stub, except for the newest of each
 * file. Long shell output keeps its head and tail (2,000 characters each); old output becomes a summary. It keeps the
 * newest 3 listings. In old edits it cuts the replaced text, which is no longer in the file, and many old edits of one
 * file become a list. Ephemeral content is removed after its turn.
 *
 * Each edit rewrites the prompt cache from its message on. `clearAtLeast` of some 20,000 tokens, with a `Context`,
 * makes that rare.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function smartRetention(settings: SmartRetentionSettings = {}): Policy {
  settings = checkOptions(settings, SMART_RETENTION, 'smartRetention')
  const { maxFileReads = 5, keepAllEdits = true, compressEdits = 10 } = settings
  const { bashTruncate = 10_000, clearAtLeast = 0 } = settings
  const end = Math.min(2000, Math.floor(bashTruncate / 4))
  return {
    ephemeral: true,
    reads: { maxFileReads, superseded: 'clear' },
    lists: true,
    summarize: true,
    clip: { max: bashTruncate, head: end, tail: end },
    edits: compressEdits === false ? false : { after: compressEdits },
    inputs: { what: keepAllEdits ? 'old' : 'all' },
    clearAtLeast,
    recall: true,
  }
}
