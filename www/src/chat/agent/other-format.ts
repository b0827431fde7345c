import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { openToolCalls } from 'trimtab/tools'
import type { Model, ModelEvent, ModelRequest } from './model.js'
import { startOfTurn } from './turn.js'

/** An answer as its model gave it. */
interface Original {
  readonly message: object
  /** Id of its first call, in the history. */
  readonly call: string
}

/**
 * Answers with calls of models with another format than their conversation's, by their messages in the history. Until
 * the page is closed: they are needed in the turn in which they were given.
 */
const originals = new WeakMap<object, Original>()

/**
 * Streams the answer of a model with another format than the conversation's: the request is converted, and the answer
 * is converted back. In the same turn the next request has again what the conversion lost, such as signatures: the
 * provider requires them.
 *
 * @param repair Completes the converted messages.
 */
export async function* answerInOther(
  format: Format,
  model: Model,
  request: ModelRequest,
  repair: (messages: readonly object[], format: Format) => readonly object[],
): AsyncIterable<ModelEvent> {
  const { messages, system = '' } = convertMessages(request.messages, model.format, { format })
  const told = [request.system, system].filter((part) => part !== '').join('\n\n')
  const sent = repair(withOriginals(messages, model.format, request.messages), model.format)
  for await (const event of model.answer({ ...request, messages: sent, system: told })) {
    if (event.type === 'answer') yield { ...event, messages: takenIn(event.messages, model.format, format) }
    else yield event
  }
}

/** Returns an answer in the format of the conversation, and keeps the original. */
function takenIn(answer: readonly object[], from: Format, to: Format): readonly object[] {
  const { messages } = convertMessages(answer, to, { format: from })
  const [message, ...more] = messages
  const [original, ...others] = answer
  if (message === undefined || original === undefined || more.length + others.length > 0) return messages
  const [first] = openToolCalls(messages, { format: to })
  if (first !== undefined) originals.set(message, { message: original, call: first.id })
  return messages
}

/**
 * Returns converted messages with the fields and parts of the originals that they were converted from, in the current
 * turn. An answer that was edited for the request stays without.
 *
 * @param view The messages before the conversion.
 */
function withOriginals(
  messages: readonly object[],
  format: Format,
  view: readonly object[],
): readonly object[] {
  const byCall = new Map(
    view.flatMap((message) => {
      const original = originals.get(message)
      return original === undefined ? [] : [[original.call, original.message] as const]
    }),
  )
  if (byCall.size === 0) return messages
  const start = startOfTurn(messages, format)
  return messages.map((message, at) => {
    const [call] = at < start ? [] : openToolCalls([message], { format })
    const original = call === undefined ? undefined : byCall.get(call.id)
    return original === undefined ? message : merged(original, message)
  })
}

/** Lists of an answer that hold what it consists of. */
const LISTS = ['content', 'parts', 'tool_calls'] as const

type Fields = Readonly<Record<string, unknown>>

/** Returns an original with the content of a message that it was converted to and from. */
function merged(original: object, message: object): object {
  const made: Record<string, unknown> = { ...original, ...message }
  for (const name of LISTS) {
    const [own, given] = [(original as Fields)[name], (message as Fields)[name]]
    if (Array.isArray(own) && Array.isArray(given)) made[name] = mergedLists(own, given)
  }
  return made
}

/** Merges parts in order. Reasoning is in the original alone, as no format takes that of another one. */
function mergedLists(own: readonly Fields[], given: readonly Fields[]): readonly Fields[] {
  const said = own.filter((part) => !isReasoning(part))
  if (said.length !== given.length) return given
  let next = 0
  return own.map((part) => (isReasoning(part) ? part : { ...part, ...given[next++] }))
}

/** Whether a part is reasoning of Anthropic or Gemini; of Gemini also the signature of an empty text. */
function isReasoning({ type, text, thought, thoughtSignature }: Fields): boolean {
  if (type === 'thinking' || type === 'redacted_thinking' || thought === true) return true
  return text === '' && thoughtSignature !== undefined
}
