import { check, TEXT, withMethods } from '../base/check.js'
import { type Complete, given } from '../base/json.js'
import { ROLLING_CONTEXT } from '../generated/protocol.js'
import type { Policy } from '../generated/types.js'
import { type ContextManagementSettings, rollingContextPolicy } from '../policy/load-policy.js'

/** Storage of the preference in the host, such as its settings file or database. */
export interface RollingContextPreference {
  /** Returns the saved preference, or nothing if there is none yet. */
  load(): MaybePromise<ContextManagementSettings | null | undefined>
  save(settings: Complete<ContextManagementSettings>): MaybePromise<void>
}

type MaybePromise<T> = T | Promise<T>
type Settings = Complete<ContextManagementSettings>

/** The result of a run of the command. */
export interface CommandOutcome {
  /** A message for the user. */
  message: string
  settings: Settings
  /** The policy for the next view. */
  policy: Policy
}

/** A slash command of a chat. */
export interface RollingContextCommand {
  readonly name: 'rolling-context'
  readonly description: string
  /**
   * Runs the command.
   *
   * @param input What the user typed, with or without the command's name in front.
   * @throws {TrimtabError} `invalid_policy` if the loaded value is not a preference; errors of `load` and
   *   `save`.
   */
  run(input?: string): Promise<CommandOutcome>
}

const NAME = 'rolling-context'
const PREFERENCE = withMethods<RollingContextPreference>('an object with load() and save()', 'load', 'save')
/** Each line fits a terminal of 80 columns. */
const USAGE = `Usage: /${NAME} [on | off | status | age STEPS | tokens LIMIT |
files on|off | summaries on|off]`

/**
 * Creates the command `/rolling-context`: document "Rolling Context", phase 0. Without arguments it switches
 * rolling context on or off. It is off until switched on; every change is saved through the host.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createRollingContextCommand(preference: RollingContextPreference): RollingContextCommand {
  check('preference', preference, PREFERENCE)
  return {
    name: NAME,
    description: 'Clear old tool outputs from what the model sees',
    async run(input = '') {
      check('input', input, TEXT)
      const saved = { enabled: false, ...ROLLING_CONTEXT, ...given((await preference.load()) ?? {}) }
      // Validates the saved preference.
      rollingContextPolicy(saved)
      const change = readChange(input, saved)
      const settings: Settings = { ...saved, ...change }
      if (change !== undefined && change !== null) await preference.save(settings)
      const message = change === undefined ? USAGE : describe(settings)
      return { message, settings, policy: rollingContextPolicy(settings) }
    },
  }
}

/** Parses the change; `null` for no change, `undefined` for unknown input. */
function readChange(input: string, settings: Settings): Partial<Settings> | null | undefined {
  const words = input.trim().split(/\s+/).filter(Boolean)
  if (words[0] === `/${NAME}`) words.shift()
  const [verb, value] = words.map((word) => word.toLowerCase())
  if (words.length === 0) return { enabled: !settings.enabled }
  if (words.length === 1) {
    return verb === 'status' ? null : verb === 'on' || verb === 'off' ? { enabled: verb === 'on' } : undefined
  }
  if (words.length > 2) return undefined
  const count = /^\d{1,9}$/.test(value as string) ? Number(value) : undefined
  const isOn = value === 'on' ? true : value === 'off' ? false : undefined
  if (verb === 'age' && count !== undefined) return { maxToolOutputAge: count }
  if (verb === 'tokens' && count !== undefined) return { maxToolOutputTokens: count }
  if (verb === 'files' && isOn !== undefined) return { preserveRecentFiles: isOn }
  if (verb === 'summaries' && isOn !== undefined) return { summarizeOnTruncate: isOn }
  return undefined
}

function describe(settings: Settings): string {
  const { enabled, maxToolOutputAge, maxToolOutputTokens, preserveRecentFiles, summarizeOnTruncate } =
    settings
  if (!enabled) return 'Rolling context is off: the model sees every tool output.'
  const steps = maxToolOutputAge === 1 ? '1 step' : `${maxToolOutputAge} steps`
  const files = preserveRecentFiles ? ', except those of files in use' : ''
  const rest = summarizeOnTruncate ? 'a summary' : 'a note'
  return `Rolling context is on: tool outputs older than ${steps} are cleared${files}. Of each, ${rest} of at most ${maxToolOutputTokens} tokens stays.`
}
