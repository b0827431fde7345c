import { type Fields, fieldsOf, listOf, textOf } from './wire.js'

/** Fields of an answer for its reasoning as text. Servers take back the one that they gave. */
const TEXTS = ['reasoning_content', 'reasoning'] as const
/** Fields for signed reasoning, which must be sent back: of OpenRouter, and of Gemini. */
const SIGNED = ['reasoning_details', 'extra_content'] as const

/** Assembles the reasoning of a streamed answer from its parts. */
export class Reasoning {
  #text = ''
  #name: (typeof TEXTS)[number] = 'reasoning_content'
  #details: readonly Fields[] = []
  #extra: Fields = {}

  /** Reads a part of an answer, and returns the reasoning in it. */
  read(delta: Fields): string {
    const name = TEXTS.find((one) => textOf(delta[one]) !== '')
    const text = (name === undefined ? '' : textOf(delta[name])) + thoughtIn(delta.content)
    if (this.#text === '' && name !== undefined) this.#name = name
    this.#text += text
    for (const detail of listOf(delta.reasoning_details)) this.#details = withDetail(this.#details, detail)
    const { thought_signature } = fieldsOf(fieldsOf(delta.extra_content).google)
    if (thought_signature !== undefined) this.#extra = { extra_content: { google: { thought_signature } } }
    return text
  }

  /** The fields of the answer that hold its reasoning. */
  get fields(): Fields {
    return {
      ...(this.#text === '' ? {} : { [this.#name]: this.#text }),
      ...(this.#details.length === 0 ? {} : { reasoning_details: this.#details }),
      ...this.#extra,
    }
  }
}

/** Fields of a detail that are continued by the next part. */
const CONTINUED = ['text', 'summary', 'data'] as const

/** Adds a part of a detail: it continues the last one, or is another. */
function withDetail(details: readonly Fields[], part: Fields): readonly Fields[] {
  const last = details.at(-1)
  if (last === undefined || last.type !== part.type || last.index !== part.index) return [...details, part]
  const joined = CONTINUED.filter((name) => typeof part[name] === 'string').map(
    (name) => [name, textOf(last[name]) + textOf(part[name])] as const,
  )
  return [...details.slice(0, -1), { ...last, ...part, ...Object.fromEntries(joined) }]
}

/** Returns a message without the fields of other servers: OpenAI rejects them. */
export function ofOpenAi(message: object): object {
  const { tool_calls: calls } = message as Fields
  const isSigned = listOf(calls).some((call) => 'extra_content' in call)
  if (!isSigned && ![...TEXTS, ...SIGNED].some((name) => name in message)) return message
  const made = without(message as Fields, [...TEXTS, ...SIGNED])
  return isSigned ? { ...made, tool_calls: listOf(calls).map((call) => without(call, SIGNED)) } : made
}

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** Returns the text of a content that is a string or parts. */
export const textIn = (content: unknown): string =>
  textOf(content) + listOf(content).reduce((sum, part) => sum + textOf(part.text), '')

/** Returns the reasoning of a content that is parts. */
const thoughtIn = (content: unknown): string =>
  listOf(content).reduce((sum, { thinking }) => sum + textIn(thinking), '')
