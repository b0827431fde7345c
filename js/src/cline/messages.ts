import { type Conversion, isEdited, placed, placeOf } from '../adapters/host-messages.js'
import { type JsonRecord, recordsOf } from '../base/json.js'

/** The used part of Cline's messages. */
export interface ClineMessage {
  role: string
  content: readonly { type: string }[]
}

/** Converts Cline's messages to the AI SDK's. Mainly the results differ. */
export const clineMessages: Conversion<ClineMessage> = {
  convert: ({ role, content }) => [
    { role, content: content.map((part, place) => placed(place, convert(part as JsonRecord))) },
  ],
  edit(message, [view]) {
    const content = recordsOf((view as JsonRecord).content).map((part) => {
      const original = message.content[placeOf(part)] as { type: string }
      if (!isEdited(part)) return original
      if (part.type === 'tool-call') return { ...original, input: part.input }
      return { ...original, output: (part.output as JsonRecord).value }
    })
    return { ...message, content }
  },
}

function convert(part: JsonRecord): JsonRecord {
  const { type, text, toolCallId, toolName, input, output, execution, isError } = part
  const providerExecuted = execution === 'provider' ? { providerExecuted: true } : {}
  if (type === 'tool-call') return { type, toolCallId, toolName, input, ...providerExecuted }
  if (type === 'tool-result')
    return { type, toolCallId, toolName, output: outputOf(output, isError === true) }
  if (type === 'text') return { type, text }
  if (type === 'reasoning')
    return { type, text, ...(part.metadata === undefined ? {} : { providerOptions: part.metadata }) }
  if (type === 'file') return { type: 'text', text: part.content }
  return { ...part }
}

/** A list of texts, images and files is content; any other value that is not a string is JSON. */
function outputOf(output: unknown, isError: boolean): JsonRecord {
  if (typeof output === 'string') return { type: isError ? 'error-text' : 'text', value: output }
  const parts = recordsOf(output)
  const isContent =
    parts.length > 0 && parts.every(({ type }) => type === 'text' || type === 'image' || type === 'file')
  if (!isContent) return { type: isError ? 'error-json' : 'json', value: output ?? null }
  return { type: 'content', value: parts.map((part) => (part.type === 'text' ? part : mediaPart(part))) }
}

const mediaPart = ({ image, data = image, mediaType, mimeType = mediaType }: JsonRecord): JsonRecord => ({
  type: 'media',
  data,
  mediaType: mimeType ?? 'image/png',
})

/** The output of a Cline tool: a text, or a list with images and files. */
export type ClineOutput =
  | string
  | ({ type: 'text'; text: string } | { type: 'image' | 'file'; data: string; mediaType: string })[]

/** Converts the answer of `recall`: images and files are as the tool returned them. */
export function clineOutput(answer: string | object): ClineOutput {
  if (typeof answer === 'string') return answer
  return recordsOf((answer as JsonRecord).value).map(({ type, text, data, mediaType }) => {
    if (type === 'text') return { type, text: String(text) }
    const kind = String(mediaType).startsWith('image/') ? 'image' : 'file'
    return { type: kind, data: String(data), mediaType: String(mediaType) }
  })
}
