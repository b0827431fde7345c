import { asRecord, type JsonRecord } from '../base/json.js'
import { readConversation } from '../formats/convert.js'
import { type Call, callsIn, type Message, NO_ID, type Result } from '../formats/neutral.js'
import { resultText } from '../formats/result.js'
import type { BlockFacts, Origin } from '../generated/types.js'
import { inspect } from '../history/inspect.js'
import type { FormatOptions, Inspection } from '../history/types.js'

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

export function eventsOf(messages: readonly object[], options: FormatOptions = {}): Event[] {
  const inspection = inspect(messages, options)
  const facts = new Facts(inspection)
  let turn = 0
  // What the user says in several messages, one after the other, begins one turn.
  let wasAnswered = true
  return readConversation(messages, inspection.format).flatMap((message): Event[] => {
    if (message.role === 'user') {
      if (wasAnswered) turn++
      wasAnswered = false
      return [{ kind: 'prompt', message: message.at, turn, text: textIn(message) }]
    }
    wasAnswered ||= message.role === 'assistant'
    return callsIn(message).map((call) => {
      const result = message.results.find((each) => each.call === call)
      return { kind: 'use', ...useOf(call, result, Math.max(turn, 1), facts) }
    })
  })
}

function useOf(call: Call, result: Result | undefined, turn: number, facts: Facts): ToolUse {
  const fact = facts.take('tool-call', call.id, call.name)
  const of = result === undefined ? undefined : facts.take('tool-result', result.callId, call.name)
  return {
    tool: call.name,
    origin: fact?.origin ?? 'other',
    path: fact?.path ?? null,
    startLine: fact?.startLine ?? null,
    endLine: fact?.endLine ?? null,
    command: fact?.command ?? null,
    args: argumentsOf(call),
    message: fact?.message ?? -1,
    turn,
    step: fact?.step ?? 0,
    result: result && {
      message: of?.message ?? result.at,
      text: resultText(result),
      isError: result.isError || of?.isError === true,
      ephemeral: of?.ephemeral === true,
    },
  }
}

function argumentsOf({ input }: Call): JsonRecord | string {
  if (input.form === 'free') return input.text
  if (input.form === 'value') return asRecord(input.value) ?? {}
  try {
    return asRecord(JSON.parse(input.text)) ?? input.text
  } catch {
    return input.text
  }
}

function textIn({ blocks }: Message): string {
  return blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n')
}

/**
 * The engine's facts of calls and results, to be taken in the order of the history. An id can be used again once it was
 * answered, and there may be none (Gemini): then the tool's name stands for it.
 */
class Facts {
  readonly #waiting = new Map<string, BlockFacts[]>()

  constructor({ blocks }: Inspection) {
    for (const block of blocks) {
      if (block.kind !== 'tool-call' && block.kind !== 'tool-result') continue
      const key = keyOf(block.kind, block.callId ?? '', block.tool ?? '')
      const queue = this.#waiting.get(key)
      if (queue === undefined) this.#waiting.set(key, [block])
      else queue.push(block)
    }
  }

  take(kind: 'tool-call' | 'tool-result', id: string, tool: string): BlockFacts | undefined {
    return this.#waiting.get(keyOf(kind, id, tool))?.shift()
  }
}

function keyOf(kind: string, id: string, tool: string): string {
  const isNone = id === '' || id.startsWith(NO_ID)
  return isNone ? `${kind}/name/${tool}` : `${kind}/id/${id}`
}
