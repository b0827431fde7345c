import { COUNT, checkCount, checkMessages, checkOptions, SWITCH } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { Policy } from '../generated/types.js'
import { Histories } from '../history/histories.js'
import type { FormatOptions } from '../history/types.js'
import { prepare } from '../policy/prepared-policy.js'
import { smartRetention } from '../policy/presets.js'
import type { MessagePass } from './compose.js'

/**
 * A policy as a pass. Each pass follows the messages that it is given with sessions of its own: in a composition it sees
 * another pass's view, which would otherwise be read over the history at every call, and the history over it.
 */
function passOf(policy: Policy, options: FormatOptions): MessagePass {
  const { format } = options
  const histories = new Histories()
  return (messages) => {
    checkMessages(messages)
    // Not before it is used: with `trimtab/slim` the engine may not have been started when passes are made.
    return histories.historyFor(messages, format).view(messages, prepare(policy), -1).messages
  }
}

const SMART_TOOL_RETENTION = {
  maxFileReads: COUNT,
  keepAllEdits: SWITCH,
  bashTruncate: COUNT,
  format: FORMAT,
}

/** Options of {@link smartToolRetention}, as document "Smart Tool History" has them. */
export interface SmartToolRetentionOptions extends FormatOptions {
  /** Of up to this many reads of the same lines the first and the last stay; of more, this many. Default 5. */
  maxFileReads?: number
  /** Edits stay as they are. If not, 3 or more edits of one file that are all old become one note. Default true. */
  keepAllEdits?: boolean
  /** Shell output over this many UTF-16 units keeps its head and tail. Default 10,000. */
  bashTruncate?: number
}

/**
 * Smart tool retention as a pass, by the document's table: all of 1 or 2 reads of the same lines, first and last of 3 to
 * 5, and samples between of more. {@link smartRetention}, which it is made of, lets go of reads that a newer one covers
 * as well. It slides, so it rewrites the prompt cache now and then; with `smartRetention({ clearAtLeast })` and a
 * `Context` that is rare.
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
 * Keeps the first and the last of several reads of the same lines; the last of two, or if a newer read shows more. The
 * others are replaced with pointers to a visible read, and reads from before a change of the file with a stub.
 */
export function dedupeFileReads(options: FormatOptions = {}): MessagePass {
  options = checkOptions(options, { format: FORMAT }, 'dedupeFileReads')
  return passOf({ reads: { maxFileReads: 2, superseded: 'clear' } }, options)
}

/**
 * Keeps the newest tool results and clears the others, except failures and the newest read of each edited file. The
 * prompt cache is rewritten at every step; `clearToolUses` clears in batches instead.
 *
 * @param keep How many stay. Default 30.
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
 * Results of any tool that are longer keep a fifth of the limit at either end.
 *
 * @param maxChars The longest result that stays whole, in UTF-16 units. Default 5,000.
 * @throws {TrimtabError} `invalid_option`.
 */
export function truncateToolResults(maxChars = 5000, options: FormatOptions = {}): MessagePass {
  checkCount('maxChars', maxChars)
  options = checkOptions(options, { format: FORMAT }, 'truncateToolResults')
  return passOf({ clip: { max: maxChars, tools: ['*'] } }, options)
}

/** Options of {@link hideToolArgs}. */
export interface HideToolArgsOptions extends FormatOptions {
  /** Steps a call stays as it is. Default 0: only those of the newest step do. */
  after?: number
}

/**
 * Cuts long texts in the arguments of tool calls to their beginning. The arguments stay valid JSON with the same keys;
 * paths, numbers, short texts and calls that failed stay as they are.
 *
 * @param maxChars The longest text that stays whole, in UTF-16 units: 64 or more. Default 200.
 * @throws {TrimtabError} `invalid_option`.
 */
export function hideToolArgs(maxChars = 200, options: HideToolArgsOptions = {}): MessagePass {
  checkCount('maxChars', maxChars, 64)
  options = checkOptions(options, { after: COUNT, format: FORMAT }, 'hideToolArgs')
  const { after = 0 } = options
  return passOf({ inputs: { after, maxChars, tools: ['*'] } }, options)
}
