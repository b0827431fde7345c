import { called, checkOptions, countFrom, isWhole, kind, NAMED, OBJECT, SWITCH, TEXT } from '../base/check.js'
import type { ClearPolicy, Policy } from '../generated/types.js'
import { forModel } from './model-binding.js'
import { prepare } from './prepared-policy.js'
import { isOn, tokensOf } from './token-scale.js'

/** Clears tool results in the API: `BetaClearToolUses20250919Edit` of Anthropic's SDKs. */
export interface ClearToolUsesEdit {
  type: 'clear_tool_uses_20250919'
  trigger?: { type: 'input_tokens' | 'tool_uses'; value: number }
  keep?: { type: 'tool_uses'; value: number }
  clear_at_least?: { type: 'input_tokens'; value: number }
  exclude_tools?: string[]
  clear_tool_inputs?: boolean | string[]
}

/** Clears the thinking of earlier turns in the API: `BetaClearThinking20251015Edit`. */
export interface ClearThinkingEdit {
  type: 'clear_thinking_20251015'
  keep: 'all' | { type: 'thinking_turns'; value: number }
}

/** Lets the API summarise the conversation: `BetaCompact20260112Edit`. */
export interface CompactEdit {
  type: 'compact_20260112'
  trigger?: { type: 'input_tokens'; value: number }
  instructions?: string
  pause_after_compaction?: boolean
}

/** A policy translated for Anthropic's API. */
export interface ContextManagement {
  /** For `context_management.edits` of a request. */
  edits: (ClearThinkingEdit | ClearToolUsesEdit | CompactEdit)[]
  /** For the header `anthropic-beta`. */
  betas: string[]
  /** The fields of the policy that are applied on the client. */
  ours: string[]
  /** The policy of these fields, to project with. */
  policy: Policy
  /** Settings of the passes in `edits` that the API applies differently: `clear.clearErrors`, `clear.placeholder`. */
  differs: string[]
  /**
   * The fields of `ours` that cost thinking if the model binds it to earlier messages: results that the API clears were
   * still sent, so no thinking is lost; clearing a result on the client also removes the thinking after it.
   */
  unbinds: string[]
}

/** Options of {@link toContextManagement}. */
export interface ContextManagementOptions {
  /**
   * Number of turns that keep their thinking. Default: the policy's `reasoning`, or else the API's default,
   * one.
   */
  thinking?: 'all' | number | undefined
  /** The model of the requests. Its name determines `binding`. */
  model?: string | undefined
  /** Lets the API summarise the conversation, which is not part of a policy. */
  compact?:
    | boolean
    | {
        trigger?: number | undefined
        instructions?: string | undefined
        pauseAfterCompaction?: boolean | undefined
      }
    | undefined
}

const CLEAR_BETA = 'context-management-2025-06-27'
const COMPACT_BETA = 'compact-2026-01-12'
/** The API rejects lower values. */
const LEAST_COMPACT_TRIGGER = 50_000

const OPTIONS = {
  thinking: kind(
    "'all' or a whole number of turns from 1 on",
    (value) => value === 'all' || isWhole(value, 1),
  ),
  model: NAMED,
  compact: kind('true, false or an object', (value) => SWITCH.is(value) || OBJECT.is(value)),
}
const COMPACT = {
  trigger: called(
    countFrom(LEAST_COMPACT_TRIGGER),
    `a whole number of tokens from ${LEAST_COMPACT_TRIGGER} on`,
  ),
  instructions: TEXT,
  pauseAfterCompaction: SWITCH,
}

/**
 * Translates the parts of a policy that Anthropic's API can do itself, and returns the rest as a policy for the client.
 * The API clears results of a request that still contains them, so bound thinking is kept; `unbinds` names the fields
 * on the client that cost thinking. The clear pass is translated unless it keeps something that the API would clear:
 * with `includeTools`, `downTo`, `protect.paths`, `protect.pinned`, names that end in `*`, or results kept by steps or
 * turns. The newest read of an edited file, which the pass keeps, is cleared by the API as any other.
 *
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function toContextManagement(
  policy: Policy,
  options: ContextManagementOptions = {},
): ContextManagement {
  // Validates the policy, and reads it once.
  ;({ policy } = prepare(policy))
  options = checkOptions(options, OPTIONS, 'toContextManagement')
  const own = Object.entries(forModel(policy, options.model)).filter(([, value]) => isOn(value))
  const rest = Object.fromEntries(own) as Policy
  const differs: string[] = []
  const edits: ContextManagement['edits'] = []
  const thinking = options.thinking ?? thinkingOf(policy)
  // The API requires it before the others.
  if (thinking !== undefined) edits.push(thinkingEdit(thinking))
  // `append-only` stays on the client: the passes ensure that nothing before the reasoning changes.
  if (policy.reasoning !== 'append-only') delete rest.reasoning
  const clear = policy.clear === true ? {} : policy.clear
  if (clear && isTheirs(clear, policy)) {
    edits.push(clearEdit(clear, policy))
    differs.push(...differences(clear))
    delete rest.clear
  }
  const compact = options.compact ?? false
  if (compact !== false) edits.push(compactEdit(compact === true ? {} : compact))
  const ours = Object.keys(rest).filter((name) => !PARAMETERS.includes(name))
  const unbinds = takesThinking(rest) ? ours.filter((name) => !EDITS_NOTHING.includes(name)) : []
  return { edits, betas: betasOf(edits), ours, policy: rest, differs, unbinds }
}

/** Fields that only parametrise other fields. */
const PARAMETERS = ['window', 'recall', 'clearAtLeast', 'protect', 'binding']
/** Fields that change no result and no call. */
const EDITS_NOTHING = ['reasoning', 'warn']

/**
 * Whether thinking is lost with a change before it. With the other bindings it is not: nothing before it may
 * change, or the model accepts it.
 */
const takesThinking = ({ binding = 'unknown' }: Policy) => binding === 'bound' || binding === 'unknown'

/** `drop` removes the reasoning of finished turns. */
function thinkingOf({ reasoning }: Policy): 'all' | number | undefined {
  if (reasoning === undefined) return undefined
  return reasoning === 'drop' ? 1 : 'all'
}

function isTheirs(clear: ClearPolicy, { protect }: Policy): boolean {
  // `null` is what its absence is.
  const isChosen = [clear.includeTools, clear.downTo].some((part) => part !== undefined && part !== null)
  const keepsUses = clear.keep === undefined || clear.keep.type === 'tool_uses'
  const kept = [protect?.paths, protect?.pinned].some((list) => list !== undefined && list.length > 0)
  return (
    !isChosen && keepsUses && !kept && isNames(excluded(clear, protect)) && isNames(clear.clearToolInputs)
  )
}

/** The API knows only whole names. */
const isNames = (tools: ClearPolicy['clearToolInputs']): boolean =>
  !Array.isArray(tools) || !tools.some((name) => name.endsWith('*'))

/** The tools whose results are kept. */
const excluded = ({ excludeTools }: ClearPolicy, protect: Policy['protect']): string[] => [
  ...new Set([...(excludeTools ?? []), ...(protect?.tools ?? [])]),
]

function clearEdit(clear: ClearPolicy, { protect, window = 200_000 }: Policy): ClearToolUsesEdit {
  const { trigger, keep, clearAtLeast = 0, clearToolInputs = false } = clear
  const names = excluded(clear, protect)
  const edit: ClearToolUsesEdit = { type: 'clear_tool_uses_20250919' }
  if (trigger?.type === 'window_fraction') {
    edit.trigger = { type: 'input_tokens', value: Math.round(trigger.value * window) }
  } else if (trigger !== undefined) {
    edit.trigger = { type: trigger.type, value: trigger.value }
  }
  if (keep !== undefined) edit.keep = { type: 'tool_uses', value: keep.value }
  const least = tokensOf(clearAtLeast)
  if (least > 0) edit.clear_at_least = { type: 'input_tokens', value: least }
  if (names.length > 0) edit.exclude_tools = names
  if (clearToolInputs !== false) edit.clear_tool_inputs = clearToolInputs
  return edit
}

/** The API also clears failures, and has its own placeholder. */
function differences(clear: ClearPolicy): string[] {
  const names: string[] = []
  if (clear.clearErrors !== true) names.push('clear.clearErrors')
  if (clear.placeholder !== undefined) names.push('clear.placeholder')
  return names
}

function thinkingEdit(thinking: 'all' | number): ClearThinkingEdit {
  if (thinking === 'all') return { type: 'clear_thinking_20251015', keep: 'all' }
  return { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: thinking } }
}

function compactEdit(
  compact: Exclude<ContextManagementOptions['compact'], boolean | undefined>,
): CompactEdit {
  compact = checkOptions(compact, COMPACT, 'compact')
  const { trigger, instructions, pauseAfterCompaction } = compact
  const edit: CompactEdit = { type: 'compact_20260112' }
  if (trigger !== undefined) edit.trigger = { type: 'input_tokens', value: trigger }
  if (instructions !== undefined) edit.instructions = instructions
  if (pauseAfterCompaction !== undefined) edit.pause_after_compaction = pauseAfterCompaction
  return edit
}

function betasOf(edits: ContextManagement['edits']): string[] {
  const betas = edits.map((edit) => (edit.type === 'compact_20260112' ? COMPACT_BETA : CLEAR_BETA))
  return [...new Set(betas)]
}
