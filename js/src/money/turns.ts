import { stepsIn } from '../base/ui-parts.js'
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

function stepsOf(message: object): object[] {
  const { parts, role } = message as { parts?: unknown; role?: unknown }
  const steps = role === 'assistant' && Array.isArray(parts) ? stepsIn<unknown>(parts) : []
  return steps.length > 1 ? steps.map((step) => ({ ...message, parts: step })) : [message]
}
