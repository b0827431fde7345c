import { type Conversion, placed, placeOf } from '../adapters/host-messages.js'
import { asRecord, type JsonRecord, recordsOf } from '../base/json.js'

/** The used part of pi's messages. */
export type PiMessage = JsonRecord & { role: string }

/**
 * Converts pi's messages to the AI SDK's. Messages that only pi has (the user's commands, summaries) become
 * text of the user.
 */
export const piMessages: Conversion<PiMessage> = {
  convert(message) {
    if (message.role === 'assistant') return [{ role: 'assistant', content: answerParts(message) }]
    if (message.role === 'toolResult') return [{ role: 'tool', content: [resultPart(message)] }]
    const { content = message.output ?? message.summary ?? '' } = message
    return [
      { role: 'user', content: typeof content === 'string' ? content : recordsOf(content).map(userPart) },
    ]
  },
  edit(message, [view]) {
    const parts = recordsOf((view as JsonRecord).content)
    const [first] = parts
    if (message.role === 'toolResult')
      return { ...message, content: [{ type: 'text', text: asRecord(first?.output)?.value }] }
    const originals = recordsOf(message.content)
    const content = parts.map((part) => {
      const original = originals[placeOf(part)] as JsonRecord
      return part.type === 'tool-call' ? { ...original, arguments: part.input } : original
    })
    return { ...message, content }
  },
}

const answerParts = ({ api, content }: PiMessage): JsonRecord[] =>
  recordsOf(content).map((part, place) => placed(place, answerPart(api, part)))

/** Converts a part of an answer. A signature is stored in the options of the provider that signed it. */
function answerPart(api: unknown, part: JsonRecord): JsonRecord {
  const { type, id, name, thinking, text } = part
  if (type === 'text') return { type, text }
  const signature = type === 'thinking' ? part.thinkingSignature : part.thoughtSignature
  const signer = signature === undefined ? undefined : signerOf(String(api))
  const signed = signer === undefined ? {} : { providerOptions: { [signer]: { signature } } }
  if (type === 'thinking') return { type: 'reasoning', text: thinking, ...signed }
  return { type: 'tool-call', toolCallId: id, toolName: name, input: part.arguments, ...signed }
}

/**
 * The provider that signed. For Chat Completions pi's signature field only records where the reasoning was.
 */
function signerOf(api: string): string | undefined {
  if (api.startsWith('anthropic') || api.startsWith('bedrock')) return 'anthropic'
  return api === 'openai-completions' ? undefined : 'other'
}

function userPart(part: JsonRecord): JsonRecord {
  if (part.type === 'image') return { type: 'image', image: part.data, mediaType: part.mimeType }
  return { type: 'text', text: part.text }
}

function resultPart({ toolCallId, toolName, content, isError }: PiMessage): JsonRecord {
  const parts = recordsOf(content).map(({ type, text, data, mimeType: mediaType }) =>
    type === 'image' ? { type: 'media', data, mediaType } : { type: 'text', text },
  )
  const [first] = parts
  const isText = parts.length === 1 && first?.type === 'text'
  const output = isText
    ? { type: isError === true ? 'error-text' : 'text', value: first.text }
    : { type: 'content', value: parts }
  return { type: 'tool-result', toolCallId, toolName, output }
}

/** A part of a tool's output. */
export type PiContent = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string }

/** Converts the answer of `recall`: a text, or the converted content of a result. */
export function piContent(answer: string | object): PiContent[] {
  if (typeof answer === 'string') return [{ type: 'text', text: answer }]
  return recordsOf((answer as JsonRecord).value).map(({ type, text, data, mediaType }) =>
    type === 'media'
      ? { type: 'image', data: String(data), mimeType: String(mediaType) }
      : { type: 'text', text: String(text) },
  )
}
