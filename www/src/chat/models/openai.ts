import type { ToolDefinition } from 'trimtab'
import { ModelError, type ModelEvent } from '../agent/model.js'
import { CallIds } from './call-ids.js'
import { withTakenNames } from './call-names.js'
import { withCallReasoning } from './call-reasoning.js'
import { ofOpenAi, Reasoning, textIn } from './openai-reasoning.js'
import { type AnswerReader, type Fields, fieldsOf, isFields, listOf, textOf, type Wire } from './wire.js'

/** The Chat Completions API of OpenAI and many other servers. */
export const openai: Wire = {
  request({ address, model, key }, { messages, system, tools }) {
    const isOpenAi = new URL(address).hostname === 'api.openai.com'
    const spoken = withTakenNames(
      isOpenAi ? messages.map(ofOpenAi) : withCallReasoning(messages, 'openai-chat', model),
    )
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
    return new ChatReader(calls.map(({ id }) => textOf(id)))
  },
}

const functionOf = ({ name, description, parameters }: ToolDefinition) => ({
  type: 'function',
  function: { name, description, parameters },
})

interface Call {
  /** The provider's index of the call, which is untrusted and can be any number. */
  readonly place: number
  id: string
  name: string
  arguments: string
  /** Other fields, which some providers require with the call: Gemini's signature. */
  others: Fields
}

class ChatReader implements AnswerReader {
  isOver = false
  isCut = false
  #text = ''
  readonly #reasoning = new Reasoning()
  /** Calls in the order in which they began. */
  readonly #calls: Call[] = []
  readonly #ids: CallIds

  /** @param known Ids of calls in the history. */
  constructor(known: readonly string[]) {
    this.#ids = new CallIds(known)
  }

  *read(event: Fields): Iterable<ModelEvent> {
    const choice = listOf(event.choices)[0]
    if (choice === undefined) return
    const delta = fieldsOf(choice.delta)
    const reasoning = this.#reasoning.read(delta)
    const text = textIn(delta.content) + textOf(delta.refusal)
    if (reasoning !== '') yield { type: 'reasoning', text: reasoning }
    if (text !== '') yield { type: 'text', text }
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
    const [id, args] = [textOf(part.id), argumentsIn(given.arguments)]
    const call = this.#callAt(place, id)
    // Some servers repeat id and name in each part.
    const isSaid = id !== '' && id === call.id && call.name === textOf(given.name)
    const name = isSaid ? '' : textOf(given.name)
    call.id ||= id
    call.name += name
    call.arguments += args
    const { extra_content } = part
    if (extra_content !== undefined) call.others = { ...call.others, extra_content }
    return { type: 'call', index: this.#calls.indexOf(call), name, arguments: args }
  }

  /**
   * Returns the call that a part belongs to. Some servers give all calls the same index: a different id then starts
   * another call.
   */
  #callAt(place: number, id: string): Call {
    const known = this.#calls.findLast((call) => call.place === place)
    if (known !== undefined && (id === '' || known.id === '' || known.id === id)) return known
    const begun = { place, id: '', name: '', arguments: '', others: {} }
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
        ...this.#reasoning.fields,
        ...(calls.length === 0 ? {} : { tool_calls: this.#finished(calls) }),
      },
    ]
  }

  #finished(calls: readonly Call[]): object[] {
    return calls.map(({ id, name, arguments: args, others }) => ({
      id: this.#ids.own(id),
      type: 'function',
      function: { name, arguments: jsonText(args, name) },
      ...others,
    }))
  }
}

/** Returns the arguments in a part of a call: text, or of some servers an object. */
const argumentsIn = (given: unknown): string => (isFields(given) ? JSON.stringify(given) : textOf(given))

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
