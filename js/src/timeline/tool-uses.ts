import type { JsonRecord } from '../base/json.js'
import type { BlockFacts, Origin } from '../generated/types.js'
import type { NeutralHistory } from '../history/read-messages.js'

/** A call with its result, whatever the format: what the engine knows of it, and what was said. */
export interface ToolUse {
  tool: string
  origin: Origin
  /** The first file that the call names, as the engine writes paths. */
  path: string | null
  /** The lines asked for. */
  startLine: number | null
  endLine: number | null
  /** The start of a command. */
  command: string | null
  /** The arguments; a text where they are no JSON object (a patch). */
  args: JsonRecord | string
  /** The message of the call. */
  message: number
  /** Which turn, from 1: a turn begins with what the user says. */
  turn: number
  /** Which step, from 1. */
  step: number
  result: UsedResult | undefined
}

interface UsedResult {
  message: number
  text: string
  isError: boolean
  ephemeral: boolean
}

/** What happens in a history, in order: prompts of the user, and tool uses. */
export type Event =
  | { kind: 'prompt'; message: number; turn: number; text: string }
  | ({ kind: 'use' } & ToolUse)

export function eventsOf(history: NeutralHistory): Event[] {
  let turn = 0
  // What the user says in several messages, one after the other, begins one turn.
  let wasAnswered = true
  return history.messages.flatMap(({ role, blocks }, message): Event[] => {
    if (role === 'user' && !isAnswer(blocks)) {
      if (wasAnswered) turn++
      wasAnswered = false
      return [{ kind: 'prompt', message, turn, text: history.saidIn(message) }]
    }
    wasAnswered ||= role === 'assistant'
    const calls = blocks.filter(({ kind }) => kind === 'tool-call')
    return calls.map((call) => ({ kind: 'use', ...useOf(call, Math.max(turn, 1), history) }))
  })
}

/** Some providers take results from the user. */
function isAnswer(blocks: readonly BlockFacts[]): boolean {
  return blocks.length > 0 && blocks.every(({ kind }) => kind === 'tool-result')
}

function useOf(call: BlockFacts, turn: number, history: NeutralHistory): ToolUse {
  const { command, endLine, message, path, startLine, step } = call
  const result = history.resultOf(call)
  return {
    tool: call.tool ?? '',
    origin: call.origin ?? 'other',
    path,
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
