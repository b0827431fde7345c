import { isRecord } from '../base/json.js'
import type { Format } from '../generated/types.js'

/** A session with a message for each step, because the model is called for each step. */
export interface Turns {
  messages: readonly object[]
  /** For each of `messages` the position of its message in the session. */
  places: readonly number[]
}

/**
 * Cuts the messages of `ai-sdk-ui` that hold a whole turn into one for each step. Other formats have such messages,
 * and policies treat both alike.
 */
export function cutTurns(messages: readonly object[], format: Format): Turns {
  const cut = messages.map((message) => (format === 'ai-sdk-ui' ? stepsOf(message) : [message]))
  return { messages: cut.flat(), places: cut.flatMap((steps, at) => steps.map(() => at)) }
}

/** Cuts a message before each `step-start` that follows a part of a step, where the engine begins a step too. */
function stepsOf(message: object): object[] {
  const { parts, role } = message as { parts?: unknown; role?: unknown }
  if (role !== 'assistant' || !Array.isArray(parts)) return [message]
  const starts = [0]
  let hasParts = false
  parts.forEach((part: unknown, at) => {
    const isStart = isRecord(part) && part.type === 'step-start'
    if (isStart && hasParts) starts.push(at)
    hasParts = !isStart
  })
  // A `step-start` at the end begins no step yet.
  if (!hasParts && starts.length > 1) starts.pop()
  if (starts.length === 1) return [message]
  return starts.map((from, at) => ({ ...message, parts: parts.slice(from, starts[at + 1]) }))
}
