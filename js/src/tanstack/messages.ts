import { Originals } from '../adapters/originals.js'
import { asRecord, type JsonRecord } from '../base/json.js'

/**
 * Converts TanStack's model messages to `openai-chat` messages, which differ in names, and back. Unedited
 * messages are returned as the original objects. Signed thinking is converted to reasoning, for which a model
 * may have requirements.
 */
export class MessageNames {
  readonly #originals = new Originals()

  toChat(messages: readonly object[]): object[] {
    return messages.map((message) => {
      const { toolCalls, toolCallId, thinking, content, ...fields } = message as JsonRecord
      return this.#originals.keep(message, {
        ...fields,
        content: Array.isArray(content) ? content.map((part) => this.#part(part)) : content,
        ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
        ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
        ...(thinking === undefined ? {} : { reasoning_details: thinking }),
      })
    })
  }

  /** Converts the messages of a view. */
  toTanStack(messages: readonly object[]): object[] {
    return messages.map((message) => this.#originals.of(message) ?? this.#edited(message as JsonRecord))
  }

  /** Converts the answer of `recall`: a text, or the parts of a result. */
  toParts(answer: string | object): unknown {
    return this.#originals.ofParts(answer)
  }

  #part(part: unknown): unknown {
    const { type, content, source, ...fields } = asRecord(part) ?? {}
    if (type === 'text') return this.#originals.keep(part as object, { ...fields, type, text: content })
    const { type: kind, value, mimeType } = asRecord(source) ?? {}
    if (value === undefined) return part
    const url = kind === 'data' ? `data:${String(mimeType)};base64,${String(value)}` : value
    return this.#originals.keep(
      part as object,
      type === 'image'
        ? { type: 'image_url', image_url: { url } }
        : { type: 'file', file: { file_data: url } },
    )
  }

  #edited({ tool_calls, tool_call_id, reasoning_details, content, ...fields }: JsonRecord): object {
    return {
      ...fields,
      content: Array.isArray(content)
        ? content.map((part) => this.#originals.of(part) ?? textPart(part))
        : content,
      ...(tool_calls === undefined ? {} : { toolCalls: tool_calls }),
      ...(tool_call_id === undefined ? {} : { toolCallId: tool_call_id }),
      ...(reasoning_details === undefined ? {} : { thinking: reasoning_details }),
    }
  }
}

/** Converts a part written by the engine, which only writes texts. */
function textPart(part: unknown): unknown {
  const { text, ...fields } = part as JsonRecord
  return text === undefined ? part : { ...fields, content: text }
}
