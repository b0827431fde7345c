import type { ToolDefinition } from 'trimtab'
import { ModelError, type ModelEvent } from '../agent/model.js'
import { CallIds } from './call-ids.js'
import { withTakenNames } from './call-names.js'
import { jsonText } from './openai.js'
import { type AnswerReader, type Fields, fieldsOf, isFields, listOf, textOf, type Wire } from './wire.js'

/** Maximum tokens of an answer; Anthropic requires a limit. */
const LONGEST_ANSWER = 8192

const CACHED = { cache_control: { type: 'ephemeral' } }

/** Anthropic's Messages API. Marks the whole request for the prompt cache. */
export const anthropic: Wire = {
  request({ model, key }, { messages, system, tools }) {
    return {
      path: '/messages',
      headers: {
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
        ...(key === '' ? {} : { 'x-api-key': key }),
      },
      body: {
        model,
        max_tokens: LONGEST_ANSWER,
        ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...CACHED }] }),
        messages: withTakenNames(messages).map((message, at) =>
          at === messages.length - 1 ? cachedTo(message) : message,
        ),
        ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
        stream: true,
      },
    }
  },
  reader({ messages }) {
    const blocks = messages.flatMap((message) => listOf((message as Fields).content))
    return new BlockReader(blocks.flatMap(({ type, id }) => (type === 'tool_use' ? textOf(id) : [])))
  },
}

const toolOf = ({ name, description, parameters }: ToolDefinition) => ({
  name,
  description,
  input_schema: parameters,
})

/** Returns the message with a cache mark: the provider caches everything up to its end. */
function cachedTo(message: object): object {
  const { content } = message as { content?: unknown }
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(blocks)) return message
  const last: unknown = blocks.at(-1)
  if (!isFields(last) || (last.type !== 'text' && last.type !== 'tool_result')) return message
  return { ...message, content: [...blocks.slice(0, -1), { ...last, ...CACHED }] }
}

interface Entry {
  /** The block as it began, extended by the deltas. */
  block: Fields
  /** The arguments of a call, as text. */
  json: string
  /** Its index among the calls. */
  readonly call: number
}

class BlockReader implements AnswerReader {
  isOver = false
  isCut = false
  /** Entries by the provider's block index, which is untrusted and can be any number. */
  readonly #entries = new Map<number, Entry>()
  readonly #ids: CallIds
  #calls = 0

  /** @param known Ids of calls in the history. */
  constructor(known: readonly string[]) {
    this.#ids = new CallIds(known)
  }

  *read(event: Fields): Iterable<ModelEvent> {
    const index = typeof event.index === 'number' ? event.index : 0
    switch (event.type) {
      case 'content_block_start': {
        const given = fieldsOf(event.content_block)
        const isCall = given.type === 'tool_use'
        const block = isCall ? { ...given, id: this.#ids.own(textOf(given.id)) } : given
        const call = this.#calls
        if (isCall) this.#calls += 1
        this.#entries.set(index, { block, json: '', call })
        if (block.type === 'text' && textOf(block.text) !== '')
          yield { type: 'text', text: textOf(block.text) }
        if (isCall) yield { type: 'call', index: call, name: textOf(block.name), arguments: '' }
        return
      }
      case 'content_block_delta':
        yield* this.#add(index, fieldsOf(event.delta))
        return
      case 'message_delta': {
        const reason = fieldsOf(event.delta).stop_reason
        if (reason === 'refusal') throw new ModelError('The model declined to answer.')
        this.isCut = reason === 'max_tokens' || reason === 'model_context_window_exceeded'
        return
      }
      case 'message_stop':
        this.isOver = true
    }
  }

  *#add(index: number, delta: Fields): Iterable<ModelEvent> {
    const entry = this.#entries.get(index)
    if (entry === undefined) return
    const { block } = entry
    switch (delta.type) {
      case 'text_delta':
        entry.block = { ...block, text: textOf(block.text) + textOf(delta.text) }
        yield { type: 'text', text: textOf(delta.text) }
        return
      case 'thinking_delta':
        entry.block = { ...block, thinking: textOf(block.thinking) + textOf(delta.thinking) }
        yield { type: 'reasoning', text: textOf(delta.thinking) }
        return
      case 'signature_delta':
        entry.block = { ...block, signature: textOf(block.signature) + textOf(delta.signature) }
        return
      case 'input_json_delta': {
        const part = textOf(delta.partial_json)
        entry.json += part
        yield { type: 'call', index: entry.call, name: '', arguments: part }
      }
    }
  }

  messages(): object[] {
    const entries = [...this.#entries].sort(([a], [b]) => a - b).map(([, entry]) => entry)
    const content = entries
      .filter(({ block }) => block.type !== 'text' || textOf(block.text) !== '')
      .map(({ block, json }) =>
        block.type === 'tool_use' ? { ...block, input: inputOf(block, json) } : block,
      )
    const isAnswer = entries.some(({ block }) => block.type === 'tool_use' || textOf(block.text) !== '')
    return isAnswer ? [{ role: 'assistant', content }] : []
  }
}

const inputOf = (block: Fields, json: string): unknown =>
  json === '' ? (block.input ?? {}) : JSON.parse(jsonText(json, textOf(block.name)))
