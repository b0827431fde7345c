import {
  COUNT,
  checkOptions,
  kind,
  numberFrom,
  readable,
  refuseWith,
  SWITCH,
  TEXT,
  TEXTS,
} from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import { given, isRecord } from '../base/json.js'
import { nearest } from '../base/nearest.js'
import { PROCESSED_PLACEHOLDER } from '../base/seed-texts.js'
import { ROLLING_CONTEXT } from '../generated/protocol.js'
import type { AgePolicy, Policy, ReadLimits } from '../generated/types.js'
import { prepare } from './prepared-policy.js'
import { smartRetention } from './presets.js'
import { clearOfEdits } from './provider-settings.js'

/** A policy from a file, and the settings of the file that it does not contain. */
export interface LoadedPolicy {
  policy: Policy
  /** Settings without an effect here, by their names in the file. */
  ignored: string[]
  /** Settings of reading; absent if the file has none. */
  reading?: ReadingSettings
}

/** Settings of reading in a policy file. In the documents they are next to those of the context. */
export interface ReadingSettings {
  /** `context_size`, `read_max_tokens`, `ephemeral_read_max_percent`, `ephemeral_read_enabled`: `createReadTool(source, { limits })`. */
  limits?: Partial<ReadLimits> | undefined
  /** `file_read_small_threshold`, for `createFileReader`. */
  threshold?: { small: number } | undefined
  /** `file_read_thresholds` by glob, for `createFileReader`. */
  thresholds?: Record<string, { small: number; large?: number }> | undefined
}

/** `contextManagement` of `agents.config.json`: document "Rolling Context". */
export interface ContextManagementSettings {
  /** Default false. */
  enabled?: boolean | undefined
  /** For how many steps a tool result is shown in full. Default 5. */
  maxToolOutputAge?: number | undefined
  /** Maximum size of an old result in estimated tokens. Default 2,000. */
  maxToolOutputTokens?: number | undefined
  /** Keeps old results of files in use. Default true. */
  preserveRecentFiles?: boolean | undefined
  /** Adds a summary to the stub. Default false. */
  summarizeOnTruncate?: boolean | undefined
}

const CONTEXT_MANAGEMENT = {
  enabled: SWITCH,
  maxToolOutputAge: COUNT,
  maxToolOutputTokens: COUNT,
  preserveRecentFiles: SWITCH,
  summarizeOnTruncate: SWITCH,
}

/** `ContextConfig` of document "Memory and Context Editing", with the lists of tools described there. */
const CONTEXT_CONFIG = {
  compaction_threshold_tokens: COUNT,
  summarization_threshold_tokens: COUNT,
  keep_recent_tool_results: COUNT,
  keep_recent_messages: COUNT,
  max_tool_result_length: COUNT,
  placeholder_text: TEXT,
  exclude_tools: TEXTS,
  protected_tools: TEXTS,
}

/** Arguments of `smart_tool_retention` of document "Smart Tool History". */
const SMART_RETENTION = { max_file_reads: COUNT, keep_all_edits: SWITCH, bash_truncate: COUNT }

const THRESHOLDS = kind<Record<string, { small: number; large?: number }>>(
  'an object of {small, large} by glob',
  (value) =>
    isRecord(value) &&
    Object.values(value).every(
      (each) => isRecord(each) && COUNT.is(each.small) && (each.large === undefined || COUNT.is(each.large)),
    ),
)
const READING = {
  context_size: COUNT,
  read_max_tokens: COUNT,
  ephemeral_read_max_percent: numberFrom(0, 1),
  ephemeral_read_enabled: SWITCH,
  file_read_small_threshold: COUNT,
  file_read_thresholds: THRESHOLDS,
}

/** Settings that need a model, or that cut messages off: neither is a pass. */
const NOT_A_PASS = ['summarization_threshold_tokens', 'keep_recent_messages']

/**
 * Reads a policy from a settings file. It recognises five forms: a policy as `project` takes it (also with
 * `$schema`), `agents.config.json` with `contextManagement`, Anthropic's `context_management: { edits }`,
 * `ContextConfig` with its snake_case names, with its defaults, and `max_file_reads`, `keep_all_edits` and
 * `bash_truncate`, which make a {@link smartRetention}, also beside those of `ContextConfig`.
 * `compaction_control` is ignored, because it needs a model (`compact`).
 *
 * @param source JSON text, or the parsed object.
 * @throws {TrimtabError} `invalid_policy` for invalid JSON, an unknown field (the message names the nearest
 *   known one), or a value of the wrong type.
 */
export function loadPolicy(source: string | object): LoadedPolicy {
  return readable(
    'source',
    () => {
      const value = typeof source === 'string' ? parse(source) : source
      if (!isRecord(value))
        refuseWith('source', 'a policy must be a JSON object of settings', 'invalid_policy')
      const { $schema: _, ...settings } = value
      const { reading, others } = withoutReading(settings)
      const policy = { ...read(others), ...(reading && { reading }) }
      // Validates the policy.
      prepare(policy.policy)
      return policy
    },
    'invalid_policy',
  )
}

function withoutReading(settings: Record<string, unknown>) {
  const isReading = ([key]: [string, unknown]) => Object.hasOwn(READING, key)
  const entries = Object.entries(settings)
  const own = Object.fromEntries(entries.filter(isReading))
  const others = Object.fromEntries(entries.filter((entry) => !isReading(entry)))
  return { reading: Object.keys(own).length === 0 ? undefined : readingOf(own), others }
}

function readingOf(own: object): ReadingSettings {
  own = checkOptions(own, READING, 'ContextConfig', 'invalid_policy')
  const set = own as {
    context_size?: number
    read_max_tokens?: number
    ephemeral_read_max_percent?: number
    ephemeral_read_enabled?: boolean
    file_read_small_threshold?: number
    file_read_thresholds?: Record<string, { small: number; large?: number }>
  }
  const limits = given({
    contextSize: set.context_size,
    readMaxTokens: set.read_max_tokens,
    ephemeralReadMaxPercent: set.ephemeral_read_max_percent,
    ephemeralReadEnabled: set.ephemeral_read_enabled,
  })
  const { file_read_small_threshold: small, file_read_thresholds: thresholds } = set
  return given({
    limits: Object.keys(limits).length > 0 ? limits : undefined,
    threshold: small === undefined ? undefined : { small },
    thresholds,
  })
}

function read(settings: Record<string, unknown>): LoadedPolicy {
  const keys = Object.keys(settings)
  if (keys.includes('contextManagement')) {
    const { contextManagement, ...others } = settings
    return { policy: rollingContextPolicy(contextManagement as object), ignored: Object.keys(others) }
  }
  if (keys.includes('context_management') || keys.includes('compaction_control')) {
    const { context_management, ...others } = settings
    const { clear, ignored } = clearOfEdits(context_management)
    return { policy: clear === undefined ? {} : { clear }, ignored: [...ignored, ...Object.keys(others)] }
  }
  const isMeant = (key: string) => Object.hasOwn(CONTEXT_CONFIG, key) || key.includes('_')
  if (keys.some(isMeant)) return readSnakeCase(settings)
  const typo = keys.find((key) => nearest(key, ['contextManagement']) !== undefined)
  if (typo === undefined) return { policy: settings, ignored: [] }
  const message = `unknown field \`${typo}\`; did you mean \`contextManagement\`?`
  return refuseWith(typo, message, 'invalid_policy')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    const message = `a policy is JSON: ${cause instanceof Error ? cause.message : String(cause)}`
    throw new TrimtabError('invalid_policy', message, { argument: 'source', cause })
  }
}

/**
 * Returns the policy for `contextManagement`: rolling context, or an empty policy if it is not enabled.
 *
 * @throws {TrimtabError} `invalid_policy`.
 */
export function rollingContextPolicy(settings: ContextManagementSettings): Policy {
  settings = checkOptions(settings, CONTEXT_MANAGEMENT, 'contextManagement', 'invalid_policy')
  const { enabled = false, ...age } = settings
  // `checkOptions` leaves out what is `undefined`.
  return enabled ? { age: { ...ROLLING_CONTEXT, ...(age as AgePolicy) } } : {}
}

/** `ContextConfig`, the settings of smart retention, or both. */
function readSnakeCase(settings: object): LoadedPolicy {
  const shape = { ...CONTEXT_CONFIG, ...SMART_RETENTION, ...READING }
  settings = checkOptions(settings, shape, 'ContextConfig', 'invalid_policy')
  const has = (name: string) => Object.hasOwn(settings, name)
  const smart = Object.keys(SMART_RETENTION).some(has) ? smartPolicy(settings) : undefined
  if (smart !== undefined && !Object.keys(CONTEXT_CONFIG).some(has)) return { policy: smart, ignored: [] }
  const policy = { ...smart, ...contextPolicy(settings) }
  // A policy clips by one rule. The document's own length for all tools also cuts the output of a shell.
  const clipsAll = has('max_tool_result_length')
  if (smart?.clip && has('bash_truncate') && !clipsAll) policy.clip = smart.clip
  const unused = has('bash_truncate') && clipsAll ? ['bash_truncate'] : []
  return { policy, ignored: [...NOT_A_PASS.filter(has), ...unused] }
}

function smartPolicy(settings: object): Policy {
  const {
    max_file_reads: maxFileReads,
    keep_all_edits: keepAllEdits,
    bash_truncate: bashTruncate,
  } = settings as { max_file_reads?: number; keep_all_edits?: boolean; bash_truncate?: number }
  return smartRetention(given({ maxFileReads, keepAllEdits, bashTruncate }))
}

function contextPolicy(settings: object): Policy {
  const {
    compaction_threshold_tokens = 80_000,
    keep_recent_tool_results = 5,
    max_tool_result_length = 5000,
    placeholder_text = PROCESSED_PLACEHOLDER,
    exclude_tools = [],
    protected_tools = [],
  } = settings as {
    compaction_threshold_tokens?: number
    keep_recent_tool_results?: number
    max_tool_result_length?: number
    placeholder_text?: string
    exclude_tools?: string[]
    protected_tools?: string[]
  }
  return {
    clear: {
      trigger: { type: 'input_tokens', value: compaction_threshold_tokens },
      keep: { type: 'tool_uses', value: keep_recent_tool_results },
      excludeTools: exclude_tools,
      placeholder: placeholder_text,
    },
    clip: { max: max_tool_result_length, tools: ['*'] },
    protect: { tools: protected_tools },
  }
}
