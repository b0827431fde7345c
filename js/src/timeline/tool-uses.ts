import type { JsonRecord } from '../base/json.js'
import type { BlockFacts, Origin } from '../generated/types.js'
import type { NeutralHistory } from '../history/read-messages.js'
import { normalPath } from './normal-path.js'

/** A tool use in any format: the engine's facts about it, its arguments and its result. */
export interface ToolUse {
  tool: string
  origin: Origin
  /** First file that the call names. */
  path: string | null
  /** Requested lines. */
  startLine: number | null
  endLine: number | null
  /** Start of a command. */
  command: string | null
  /** Arguments; text if they are not a JSON object (a patch). */
  args: JsonRecord | string
  /** Position of the call's message. */
  message: number
  /** Turn, from 1: a turn begins with a message of the user. */
  turn: number
  /** Step, from 1. */
  step: number
  result: UsedResult | undefined
}

/** The result of a tool use. */
export interface UsedResult {
  message: number
  text: string
  isError: boolean
  ephemeral: boolean
}

/** Events of a history, in order: prompts of the user, with the step that follows them, and tool uses. */
export type Event =
  | { kind: 'prompt'; message: number; turn: number; step: number; text: string }
  | ({ kind: 'use' } & ToolUse)

export function eventsOf(history: NeutralHistory): Event[] {
  let turn = 0
  // Consecutive messages of the user begin one turn.
  let wasAnswered = true
  return history.messages.flatMap(({ role, blocks, step }, message): Event[] => {
    if (role === 'user' && !isAnswer(blocks)) {
      if (wasAnswered) turn++
      wasAnswered = false
      return [{ kind: 'prompt', message, turn, step: step + 1, text: history.saidIn(message) }]
    }
    wasAnswered ||= role === 'assistant'
    const calls = blocks.filter(({ kind }) => kind === 'tool-call')
    return calls.map((call) => ({ kind: 'use', ...useOf(call, Math.max(turn, 1), history) }))
  })
}

/** Some providers expect results in user messages. */
function isAnswer(blocks: readonly BlockFacts[]): boolean {
  return blocks.length > 0 && blocks.every(({ kind }) => kind === 'tool-result')
}

function useOf(call: BlockFacts, turn: number, history: NeutralHistory): ToolUse {
  const { command, endLine, message, path, startLine, step } = call
  const result = history.resultOf(call)
  return {
    tool: call.tool ?? '',
    origin: call.origin ?? 'other',
    path: path === null ? null : normalPath(path),
    startLine,
    endLine,
    command,
    args: history.argumentsOf(call),
    message,
    turn,
    step,
    result: result && {
      message: result.message,
      text: history.textOf(result),
      isError: result.isError,
      ephemeral: result.ephemeral,
    },
  }
}
