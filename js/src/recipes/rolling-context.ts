import {
  COUNT,
  called,
  check,
  checkMessages,
  checkOptional,
  checkOptions,
  OBJECT,
  readable,
  STEP,
  SWITCH,
} from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { given } from '../base/json.js'
import { activeFiles, enter, shouldTruncate } from '../engine/core.js'
import { ROLLING_CONTEXT } from '../generated/protocol.js'
import type { AgePolicy, Format } from '../generated/types.js'
import { historyFor, historyOf } from '../history/histories.js'
import { History } from '../history/history.js'
import { placeholders } from '../history/lookups.js'
import type { FormatOptions } from '../history/types.js'
import { type PreparedPolicy, prepare, prepareLater } from '../policy/prepared-policy.js'
import { AGE_SETTINGS } from '../policy/presets.js'

/** Settings of rolling context, from `contextManagement` in document "Rolling Context". */
export interface RollingContextConfig extends AgePolicy, FormatOptions {
  /** If false, nothing is truncated. Default true: calling these functions enables rolling context. */
  enabled?: boolean | undefined
}

/** A file that a call read or changed. */
export interface FileReference {
  path: string
  /** The step of the last call that read or changed it. */
  lastAccessStep: number
  /** SHA-256 of the result of its newest read, in hexadecimal; not set if that is ephemeral, or shows other files too. */
  contentHash?: string | undefined
}

/** The engine's value for the newest step. */
const NEWEST = -1
const COUNT_OF_STEPS = called(COUNT, STEP.words)

const CONFIG = { enabled: SWITCH, format: FORMAT, ...AGE_SETTINGS }

/** The policy without settings: most callers pass none, and checking them takes a fifteenth of a step. */
const WITHOUT_SETTINGS = prepareLater({ age: ROLLING_CONTEXT })

function split(config: RollingContextConfig, where: string) {
  config = checkOptions(config, CONFIG, where)
  const { enabled = true, format, ...age } = config
  return { enabled, format, age: { ...ROLLING_CONTEXT, ...age } }
}

/**
 * Clears tool results older than `maxToolOutputAge` steps, except failures, results of active files, and the newest
 * read of each edited file. Each is replaced with a short stub that gives its kind and size.
 *
 * @param currentStep The number of assistant messages so far; by default all of them.
 * @throws {TrimtabError} As `project`.
 */
export function truncateOldToolOutputs<M extends object>(
  messages: readonly M[],
  currentStep?: number,
  config?: RollingContextConfig,
): M[] {
  const { format, policy } = policyOf(config)
  checkOptional('currentStep', currentStep, STEP)
  return historyOf(messages, format).view(messages, policy, currentStep ?? NEWEST).messages
}

function policyOf(config?: RollingContextConfig): { format?: Format; policy: PreparedPolicy } {
  if (config === undefined) return { policy: WITHOUT_SETTINGS() }
  const { enabled, format, age } = split(config, 'truncateOldToolOutputs')
  return { policy: prepare(enabled ? { age } : {}), ...given({ format }) }
}

/** Whether a message's tool result is truncated at this age in steps, judged by the message alone. */
export function shouldTruncateToolResult(
  message: object,
  age: number,
  config: RollingContextConfig = {},
): boolean {
  const { enabled, format, age: policy } = split(config, 'shouldTruncateToolResult')
  check('age', age, COUNT_OF_STEPS)
  const compiled = prepare({ age: policy }).compiled()
  const engine = new History(format)
  return withSession(
    engine,
    () => enabled && enter(() => shouldTruncate(engine.follow([message]), 0, age, compiled)),
  )
}

/** Returns the message with its tool results truncated, regardless of their age and size. */
export function createTruncatedPlaceholder<M extends object>(
  message: M,
  config: RollingContextConfig = {},
): M {
  const { format, age } = split(config, 'createTruncatedPlaceholder')
  const policy = prepare({ age })
  const session = new History(format)
  return withSession(session, () => placeholders(session, [message], policy)[0] as M)
}

/**
 * Returns the files that a call read or changed within the last `maxToolOutputAge` steps, in the order of
 * their first calls.
 */
export function getActiveFiles<M extends object>(
  messages: readonly M[],
  currentStep?: number,
  config: RollingContextConfig = {},
): FileReference[] {
  messages = checkMessages(messages)
  const { format, age } = split(config, 'getActiveFiles')
  checkOptional('currentStep', currentStep, STEP)
  const session = historyFor(messages, format)
  const engine = session.follow(messages)
  const compiled = prepare({ age }).compiled()
  const texts = enter(
    () => activeFiles(engine, session.host, messages, compiled, currentStep ?? NEWEST) as string[],
  )
  return Array.from({ length: texts.length / 3 }, (_, i) => {
    const [path = '', lastAccess, contentHash] = texts.slice(3 * i, 3 * i + 3)
    return { path, lastAccessStep: Number(lastAccess), ...(contentHash ? { contentHash } : {}) }
  })
}

/** Whether results of this file are kept in full at this step. */
export function shouldPreserveFileContent(
  file: FileReference,
  currentStep: number,
  config: RollingContextConfig = {},
): boolean {
  check('file', file, OBJECT)
  const lastAccessStep = readable('file', () => Number(file.lastAccessStep))
  check('currentStep', currentStep, STEP)
  const { age } = split(config, 'shouldPreserveFileContent')
  const settings = prepare({ age }).policy.age as Required<AgePolicy>
  const { maxToolOutputAge, preserveRecentFiles } = settings
  return preserveRecentFiles && currentStep - lastAccessStep <= maxToolOutputAge
}

function withSession<T>(session: History, work: () => T): T {
  try {
    return work()
  } finally {
    session.free()
  }
}
