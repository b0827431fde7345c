import { COUNT, checkCount, checkOptions, SWITCH } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { Policy } from '../generated/types.js'
import { Histories, historyOf } from '../history/histories.js'
import type { FormatOptions } from '../history/types.js'
import { prepare } from '../policy/prepared-policy.js'
import { smartRetention } from '../policy/presets.js'
import type { MessagePass } from './compose.js'

/**
 * Returns a policy as a pass. Each pass has its own sessions: in a composition it receives another pass's
 * view, which in a shared session would replace the history at every call, and be replaced by it.
 */
function passOf(policy: Policy, options: FormatOptions): MessagePass {
  const { format } = options
  const histories = new Histories()
  return (messages) => {
    // Prepared at first use: with `trimtab/slim` the engine may not have been started when passes are
    // created.
    return historyOf(messages, format, histories).view(messages, prepare(policy), -1).messages
  }
}

const SMART_TOOL_RETENTION = {
  maxFileReads: COUNT,
  keepAllEdits: SWITCH,
  bashTruncate: COUNT,
  format: FORMAT,
}

/** Options of {@link smartToolRetention}, from document "Smart Tool History". */
export interface SmartToolRetentionOptions extends FormatOptions {
  /**
   * Up to this many reads of the same lines: the first and the last are kept. More reads: this many are kept,
   * at least two. Default 5.
   */
  maxFileReads?: number | undefined
  /**
   * Keeps edits unchanged. If false, 3 or more edits of one file that are all old become one note. Default
   * true.
   */
  keepAllEdits?: boolean | undefined
  /** Shell output over this many UTF-16 units is cut to its head and tail. Default 10,000. */
  bashTruncate?: number | undefined
}

/**
 * Smart tool retention as a pass, by the document's table: keeps all of 1 or 2 reads of the same lines, the
 * first and last of 3 to 5, and samples between them of more. It uses {@link smartRetention}, which also
 * clears reads that a newer one covers. Its window slides, so it rewrites the prompt cache now and then; with
 * `smartRetention({ clearAtLeast })` and a `Context` that is rare.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function smartToolRetention(options: SmartToolRetentionOptions = {}): MessagePass {
  options = checkOptions(options, SMART_TOOL_RETENTION, 'smartToolRetention')
  const { maxFileReads = 5, keepAllEdits = true, bashTruncate = 10_000 } = options
  const policy = smartRetention({ maxFileReads, bashTruncate })
  return passOf(
    { ...policy, reads: { maxFileReads }, edits: !keepAllEdits, inputs: false, recall: false },
    options,
  )
}

/**
 * Keeps the first and the last of several reads of the same lines; of two, and where a newer read shows more, only the
 * last. The others become pointers to a read that stays, also across a change of the file. A read from before a change
 * whose lines no newer read shows becomes a stub that says so. The newest read of each file stays.
 */
export function dedupeFileReads(options: FormatOptions = {}): MessagePass {
  options = checkOptions(options, { format: FORMAT }, 'dedupeFileReads')
  return passOf({ reads: { maxFileReads: 2, superseded: 'clear' } }, options)
}

/**
 * Keeps the newest tool results and clears the others, except failures and the newest read of each edited
 * file. The prompt cache is rewritten at every step; `clearToolUses` clears in batches instead.
 *
 * @param keep Number of results to keep. Default 30.
 * @throws {TrimtabError} `invalid_option`.
 */
export function keepRecentToolResults(keep = 30, options: FormatOptions = {}): MessagePass {
  checkCount('keep', keep)
  options = checkOptions(options, { format: FORMAT }, 'keepRecentToolResults')
  const policy: Policy = {
    clear: { trigger: { type: 'tool_uses', value: 0 }, keep: { type: 'tool_uses', value: keep } },
  }
  return passOf(policy, options)
}

/**
 * Cuts longer results of any tool to a fifth of the limit at either end.
 *
 * @param maxChars Maximum length of an uncut result, in UTF-16 units. Default 5,000.
 * @throws {TrimtabError} `invalid_option`.
 */
export function truncateToolResults(maxChars = 5000, options: FormatOptions = {}): MessagePass {
  checkCount('maxChars', maxChars)
  options = checkOptions(options, { format: FORMAT }, 'truncateToolResults')
  return passOf({ clip: { max: maxChars, tools: ['*'] } }, options)
}

/** Options of {@link hideToolArgs}. */
export interface HideToolArgsOptions extends FormatOptions {
  /** For how many steps a call is kept unchanged. Default 0: only the calls of the newest step are. */
  after?: number | undefined
}

/**
 * Cuts long texts in the arguments of tool calls to their beginning. The arguments stay valid JSON with the
 * same keys; paths, numbers, short texts and calls that failed are unchanged.
 *
 * @param maxChars Maximum length of an uncut text, in UTF-16 units: 64 or more. Default 200.
 * @throws {TrimtabError} `invalid_option`.
 */
export function hideToolArgs(maxChars = 200, options: HideToolArgsOptions = {}): MessagePass {
  checkCount('maxChars', maxChars, 64)
  options = checkOptions(options, { after: COUNT, format: FORMAT }, 'hideToolArgs')
  const { after = 0 } = options
  return passOf({ inputs: { after, maxChars, tools: ['*'] } }, options)
}
