import { asArray, asRecord, asString, isArray, isRecord, type JsonRecord, recordsOf } from '../base/json.js'

/**
 * Converts a message in an older form to current ones: AI SDK 4 (`args` and `result` of parts, `toolInvocations` of UI
 * messages), assistant-ui (a call holds its result), and Gemini's snake_case (`function_call`), as in its Python SDK and
 * REST examples. A message that holds calls and their results becomes several. Other messages are returned unchanged.
 */
export function modernised(message: JsonRecord): JsonRecord[] {
  const current = currentMessage(message)
  return separated(current === message ? message : (withoutUndefined(current, LEVELS) as JsonRecord))
}

/** An answer that holds the results of its own calls, as messages: calls in a row are answered together. */
function separated(message: JsonRecord): JsonRecord[] {
  const parts = message.role === 'assistant' ? recordsOf(message.content) : []
  const own = new Set(parts.filter(isOwnCall).map(({ toolCallId }) => toolCallId))
  const isResult = ({ toolCallId, type }: JsonRecord): boolean =>
    type === 'tool-result' && own.has(toolCallId)
  if (!parts.some(isResult)) return [message]
  const messages: JsonRecord[] = []
  let said: unknown[] = []
  let results: JsonRecord[] = []
  const close = (): void => {
    const before = messages.length === 0 ? message : { role: 'assistant' }
    if (said.length > 0) messages.push({ ...before, content: said })
    if (results.length > 0) messages.push({ role: 'tool', content: results })
    said = []
    results = []
  }
  for (const part of asArray(message.content)) {
    if (isRecord(part) && isResult(part)) {
      results.push(part)
      continue
    }
    if (results.length > 0 && !(isRecord(part) && isOwnCall(part))) close()
    said.push(part)
  }
  close()
  return messages
}

/** Whether the host runs the call: what the provider runs has its result in the answer. */
function isOwnCall({ providerExecuted, type }: JsonRecord): boolean {
  return type === 'tool-call' && providerExecuted !== true
}

/** Nesting levels: a message, its list, a part, its output, the output's list, a part of it. */
const LEVELS = 6

/** Removes fields that are `undefined`, because the older form did not have them. */
function withoutUndefined(value: unknown, levels: number): unknown {
  if (levels === 0) return value
  if (Array.isArray(value)) return value.map((item) => withoutUndefined(item, levels - 1))
  // The bytes of a file are an object too.
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutUndefined(field, levels - 1)]))
}

function currentMessage(message: JsonRecord): JsonRecord {
  if (Array.isArray(message.parts)) {
    const parts = recordsOf(message.parts)
    if (parts.some(isSnakePart)) return { ...message, parts: asArray(message.parts).map(camelPart) }
    return parts.some(isOldUiPart) ? oldUiMessage(message, parts) : message
  }
  // Items of Responses and messages of LangChain have a type.
  if (message.type !== undefined) return message
  if (Array.isArray(message.toolInvocations) || Array.isArray(message.experimental_attachments)) {
    return oldUiMessage(message, invocationParts(message))
  }
  const { attachments, ...rest } = message
  if (isArray(message.content) && recordsOf(attachments).some(({ content }) => isArray(content))) {
    const attached = recordsOf(attachments).flatMap(({ content }) => asArray(content))
    return { ...rest, content: [...message.content, ...attached].flatMap(currentParts) }
  }
  return recordsOf(message.content).some(isOldPart)
    ? { ...message, content: asArray(message.content).flatMap(currentParts) }
    : message
}

const SNAKE = new Map([
  ['function_call', 'functionCall'],
  ['function_response', 'functionResponse'],
  ['inline_data', 'inlineData'],
  ['file_data', 'fileData'],
  ['thought_signature', 'thoughtSignature'],
  ['executable_code', 'executableCode'],
  ['code_execution_result', 'codeExecutionResult'],
  ['mime_type', 'mimeType'],
  ['file_uri', 'fileUri'],
  ['display_name', 'displayName'],
])

function isSnakePart(part: JsonRecord): boolean {
  return typeof part.type !== 'string' && Object.keys(part).some((key) => SNAKE.has(key))
}

/** Renames the fields of a part and of its files; arguments and results of tools are unchanged. */
function camelPart(part: unknown): unknown {
  if (!isRecord(part)) return part
  return renamed(part, (key, value) =>
    (key === 'inlineData' || key === 'fileData') && isRecord(value) ? renamed(value) : value,
  )
}

function renamed(
  record: JsonRecord,
  change: (key: string, value: unknown) => unknown = (_key, value) => value,
): JsonRecord {
  return Object.fromEntries(
    Object.entries(record).map(([old, value]) => {
      const key = SNAKE.get(old) ?? old
      return [key, change(key, value)]
    }),
  )
}

function isOldPart({ type, ...part }: JsonRecord): boolean {
  if (type === 'tool-call') return 'result' in part || ('args' in part && !('input' in part))
  if (type === 'tool-result')
    return !('output' in part) && ('result' in part || 'experimental_content' in part)
  return type === 'redacted-reasoning' || ((type === 'file' || type === 'image') && 'mimeType' in part)
}

/** A part, and the result that stands in it where it is a call of assistant-ui's. */
function currentParts(part: unknown): unknown[] {
  if (!isRecord(part) || part.type !== 'tool-call' || !('result' in part)) return [currentPart(part)]
  const { args, argsText, input, isError, result, ...rest } = part
  const { toolCallId, toolName } = part
  const call = { ...rest, input: input ?? args ?? argsText }
  if (result === undefined) return [call]
  const output = currentOutput(result, undefined, isError === true)
  return [call, { type: 'tool-result', toolCallId, toolName, output }]
}

/** Converts a part of AI SDK 4's core messages. */
function currentPart(part: unknown): unknown {
  if (!isRecord(part) || !isOldPart(part)) return part
  const { args, experimental_content: content, isError, mimeType, result, ...rest } = part
  switch (part.type) {
    case 'tool-call': {
      const { argsText, ...call } = rest
      return { ...call, input: args ?? argsText }
    }
    case 'tool-result':
      return { ...rest, output: currentOutput(result, content, isError === true) }
    case 'redacted-reasoning':
      return { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: part.data } } }
    default:
      return { ...rest, mediaType: mimeType }
  }
}

function currentOutput(result: unknown, content: unknown, isError: boolean): JsonRecord {
  if (Array.isArray(content)) return { type: 'content', value: recordsOf(content).map(currentContent) }
  const type = typeof result === 'string' ? 'text' : 'json'
  return { type: isError ? `error-${type}` : type, value: result ?? null }
}

function currentContent({ data, mimeType, type, ...rest }: JsonRecord): JsonRecord {
  return type === 'image' ? { type: 'media', data, mediaType: mimeType ?? 'image/png' } : { type, ...rest }
}

function isOldUiPart(part: JsonRecord): boolean {
  const isOldFile = part.type === 'file' && 'mimeType' in part
  return part.type === 'tool-invocation' || isOldFile || (part.type === 'reasoning' && 'reasoning' in part)
}

/** Converts a UI message of AI SDK 4, whose `content` repeats the text of its parts. */
function oldUiMessage(message: JsonRecord, parts: readonly JsonRecord[]): JsonRecord {
  const { content: _content, toolInvocations: _calls, experimental_attachments: _files, ...rest } = message
  return { ...rest, parts: parts.map(currentUiPart) }
}

/** Converts a UI message of text only, from before there were parts. */
export function withParts(message: JsonRecord): JsonRecord {
  const isOld = typeof message.content === 'string' && !Array.isArray(message.parts)
  return isOld ? oldUiMessage(message, invocationParts(message)) : message
}

function currentUiPart(part: JsonRecord): JsonRecord {
  if (part.type === 'tool-invocation') return currentTool(asRecord(part.toolInvocation) ?? {})
  if (part.type === 'reasoning' && 'reasoning' in part) return { type: 'reasoning', text: part.reasoning }
  if (part.type !== 'file' || !('mimeType' in part)) return part
  const { data, mimeType, ...rest } = part
  return { ...rest, mediaType: mimeType, url: `data:${String(mimeType)};base64,${String(data)}` }
}

function currentTool({ args, result, state, toolCallId, toolName }: JsonRecord): JsonRecord {
  const answer =
    state === 'result' ? { state: 'output-available', output: result ?? null } : { state: 'input-available' }
  return { type: `tool-${asString(toolName) ?? ''}`, toolCallId, ...answer, input: args }
}

/**
 * The parts of a message from before there were parts: its calls, then its text; files were attached to it.
 */
function invocationParts({
  content,
  experimental_attachments: files,
  toolInvocations,
}: JsonRecord): JsonRecord[] {
  const calls = recordsOf(toolInvocations).map((toolInvocation) => ({
    type: 'tool-invocation',
    toolInvocation,
  }))
  const text = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []
  const attached = recordsOf(files).map(({ contentType, name, url }) => ({
    type: 'file',
    mediaType: contentType,
    filename: name,
    url,
  }))
  const step = calls.length > 0 && text.length > 0 ? [{ type: 'step-start' }] : []
  return [...calls, ...step, ...text, ...attached]
}
