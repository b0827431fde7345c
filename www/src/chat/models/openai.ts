import type { ToolDefinition } from 'trimtab'
import { ModelError, type ModelEvent } from '../agent/model.js'
import { newId } from '../new-id.js'
import { type AnswerReader, type Fields, fieldsOf, listOf, textOf, type Wire } from './wire.js'

/** The Chat Completions API of OpenAI and many other servers. */
export const openai: Wire = {
  format: 'openai-chat',
  request({ address, model, key }, { messages, system, tools }) {
    const spoken = new URL(address).hostname === 'api.openai.com' ? messages.map(withoutReasoning) : messages
    return {
      path: '/chat/completions',
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      body: {
        model,
        messages: system === '' ? spoken : [{ role: 'system', content: system }, ...spoken],
        ...(tools.length === 0 ? {} : { tools: tools.map(functionOf) }),
        stream: true,
      },
    }
  },
  reader({ messages }) {
    const calls = messages.flatMap((message) => listOf((message as Fields).tool_calls))
    return new ChatReader(new Set(calls.map(({ id }) => textOf(id))))
  },
}

const functionOf = ({ name, description, parameters }: ToolDefinition) => ({
  type: 'function',
  function: { name, description, parameters },
})

/**
 * Removes `reasoning_content`: OpenAI rejects unknown fields. Other servers that return reasoning may require it back.
 */
function withoutReasoning(message: object): object {
  if (!('reasoning_content' in message)) return message
  const { reasoning_content: _, ...rest } = message
  return rest
}

interface Call {
  /** The provider's index of the call, which is untrusted and can be any number. */
  readonly place: number
  id: string
  name: string
  arguments: string
}

class ChatReader implements AnswerReader {
  isOver = false
  isCut = false
  #text = ''
  #reasoning = ''
  /** Calls in the order in which they began. */
  readonly #calls: Call[] = []

  /** @param known Ids of calls in the history: some servers restart their ids with each answer. */
  constructor(readonly known: ReadonlySet<string>) {}

  *read(event: Fields): Iterable<ModelEvent> {
    const choice = listOf(event.choices)[0]
    if (choice === undefined) return
    const delta = fieldsOf(choice.delta)
    const reasoning = textOf(delta.reasoning_content ?? delta.reasoning) + thoughtIn(delta.content)
    const text = textIn(delta.content) + textOf(delta.refusal)
    if (reasoning !== '') yield { type: 'reasoning', text: reasoning }
    if (text !== '') yield { type: 'text', text }
    this.#reasoning += reasoning
    this.#text += text
    for (const [at, call] of listOf(delta.tool_calls).entries()) yield this.#call(call, at)
    const reason = textOf(choice.finish_reason)
    if (reason === '') return
    if (reason === 'content_filter')
      throw new ModelError('The provider withheld the answer: its content filter.')
    this.isOver = true
    this.isCut = reason === 'length'
  }

  #call(part: Fields, at: number): ModelEvent {
    const place = typeof part.index === 'number' ? part.index : at
    const given = fieldsOf(part.function)
    const [id, args] = [textOf(part.id), textOf(given.arguments)]
    const call = this.#callAt(place, id)
    // Some servers repeat id and name in each part.
    const isSaid = id !== '' && id === call.id && call.name === textOf(given.name)
    const name = isSaid ? '' : textOf(given.name)
    call.id ||= id
    call.name += name
    call.arguments += args
    return { type: 'call', index: this.#calls.indexOf(call), name, arguments: args }
  }

  /**
   * Returns the call that a part belongs to. Some servers give all calls the same index: a different id then starts
   * another call.
   */
  #callAt(place: number, id: string): Call {
    const known = this.#calls.findLast((call) => call.place === place)
    if (known !== undefined && (id === '' || known.id === '' || known.id === id)) return known
    const begun = { place, id: '', name: '', arguments: '' }
    this.#calls.push(begun)
    return begun
  }

  messages(): object[] {
    const calls = this.#calls.filter(({ name }) => name !== '').sort((a, b) => a.place - b.place)
    if (this.#text === '' && calls.length === 0) return []
    return [
      {
        role: 'assistant',
        content: this.#text === '' ? null : this.#text,
        ...(this.#reasoning === '' ? {} : { reasoning_content: this.#reasoning }),
        ...(calls.length === 0 ? {} : { tool_calls: this.#finished(calls) }),
      },
    ]
  }

  #finished(calls: readonly { id: string; name: string; arguments: string }[]): object[] {
    const taken = new Set(this.known)
    return calls.map((call) => {
      const id = call.id === '' || taken.has(call.id) ? `call_${newId()}` : call.id
      taken.add(id)
      return {
        id,
        type: 'function',
        function: { name: call.name, arguments: jsonText(call.arguments, call.name) },
      }
    })
  }
}

/** Returns the text of a content that is a string or parts. */
const textIn = (content: unknown): string =>
  textOf(content) + listOf(content).reduce((sum, part) => sum + textOf(part.text), '')

/** Returns the reasoning of a content that is parts. */
const thoughtIn = (content: unknown): string =>
  listOf(content).reduce((sum, { thinking }) => sum + textIn(thinking), '')

/**
 * Returns the arguments of a call as JSON text.
 *
 * @throws ModelError if the model did not finish the call, which cannot be stored then
 */
export function jsonText(text: string, tool: string): string {
  if (text.trim() === '') return '{}'
  try {
    JSON.parse(text)
    return text
  } catch {
    throw new ModelError(`The model ended in the middle of a call of ${tool}.`)
  }
}
