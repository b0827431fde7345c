import { type Conversion, isEdited, placed, placeOf } from '../adapters/host-messages.js'
import { asRecord, type JsonRecord, recordsOf } from '../base/json.js'

/**
 * The used part of an opencode message. A message is one request's answer, with its calls and their results.
 */
export interface OpencodeMessage {
  info: { role: string; sessionID: string }
  parts: { type: string }[]
}

/** Converts opencode's messages to the AI SDK's: an answer with results becomes two messages. */
export const opencodeMessages: Conversion<OpencodeMessage> = {
  convert({ info, parts }) {
    const places = parts.map((part, place) => [part as JsonRecord, place] as const)
    if (info.role === 'user') return [{ role: 'user', content: places.flatMap(([part]) => promptPart(part)) }]
    const content = places.flatMap(([part, place]) => answerPart(part).map((each) => placed(place, each)))
    const results = places.flatMap(([part, place]) => resultPart(part).map((each) => placed(place, each)))
    return [
      { role: 'assistant', content },
      ...(results.length === 0 ? [] : [{ role: 'tool', content: results }]),
    ]
  },
  edit({ info, parts }, view) {
    const shown = view.flatMap((message) => recordsOf((message as JsonRecord).content))
    const kept = parts.map((part, place) => {
      const own = shown.filter((each) => placeOf(each) === place)
      if (part.type === 'tool') return editedTool(part as JsonRecord & { type: string }, own)
      return own.length > 0 || answerPart(part as JsonRecord).length === 0 ? part : undefined
    })
    return { info, parts: kept.filter((part) => part !== undefined) }
  },
}

function promptPart(part: JsonRecord): JsonRecord[] {
  if (part.type === 'text') return part.ignored === true ? [] : [{ type: 'text', text: part.text }]
  return part.type === 'file' ? [filePart(part)] : []
}

const filePart = ({ url, mime, filename }: JsonRecord): JsonRecord => ({
  type: 'file',
  data: url,
  mediaType: mime,
  filename,
})

function answerPart(part: JsonRecord): JsonRecord[] {
  const { type, text, metadata } = part
  const options = metadata === undefined ? {} : { providerOptions: metadata }
  if (type === 'text') return [{ type, text }]
  if (type === 'reasoning') return [{ type, text, ...options }]
  if (type !== 'tool') return []
  const { input } = part.state as JsonRecord
  return [{ type: 'tool-call', toolCallId: part.callID, toolName: part.tool, input, ...options }]
}

function resultPart({ type, tool, callID, state }: JsonRecord): JsonRecord[] {
  if (type !== 'tool') return []
  const output = outputOf(state as JsonRecord)
  return output === undefined ? [] : [{ type: 'tool-result', toolCallId: callID, toolName: tool, output }]
}

/** Results that opencode has cleared itself are a short text that says so. */
function outputOf({ status, output, error, attachments, time }: JsonRecord): JsonRecord | undefined {
  if (status === 'error') return { type: 'error-text', value: error }
  if (status !== 'completed') return undefined
  if (asRecord(time)?.compacted !== undefined) return { type: 'text', value: '' }
  const files = recordsOf(attachments).map(({ url, mime }) => ({ type: 'media', data: url, mediaType: mime }))
  if (files.length === 0) return { type: 'text', value: output }
  return { type: 'content', value: [{ type: 'text', text: output }, ...files] }
}

/** The output of an opencode tool. (A type alias, so that it is also a `ToolResult`.) */
export type OpencodeOutput =
  | string
  | { output: string; attachments: { type: 'file'; mime: string; url: string }[] }

/** Converts the answer of `recall`: files are attached to the text, as in the original. */
export function opencodeOutput(answer: string | object): OpencodeOutput {
  if (typeof answer === 'string') return answer
  const parts = recordsOf((answer as JsonRecord).value)
  const texts = parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
  const attachments = parts.flatMap(({ type, data, mediaType }) =>
    type === 'media' ? [{ type: 'file' as const, mime: String(mediaType), url: String(data) }] : [],
  )
  return { output: texts.join('\n'), attachments }
}

/** Applies the edits of a tool's call and result in the view to its part. */
function editedTool<T extends JsonRecord>(part: T, view: readonly JsonRecord[]): T {
  const state = { ...(part.state as JsonRecord) }
  for (const { type, input, output } of view.filter(isEdited)) {
    const { type: kind, value } = asRecord(output) ?? {}
    if (type === 'tool-call') state.input = input
    else if (kind === 'error-text') state.error = value
    else Object.assign(state, { output: value, attachments: [] })
  }
  return { ...part, state }
}
