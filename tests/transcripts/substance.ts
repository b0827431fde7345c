import type { Format } from 'trimtab'

/**
 * Content of a conversation, independent of its format: texts in order, and tool uses in the order of their
 * calls. Written from the providers' references for what `write.ts` writes, without the code under test.
 * Blank texts are left out, and a result that is a value counts as its JSON.
 */
export interface Substance {
  texts: string[]
  uses: {
    id: string | undefined
    name: string
    args: unknown
    result: string | undefined
    isError: boolean
  }[]
}

type Json = Record<string, unknown>
type Event =
  | { text: unknown }
  | { call: { id: unknown; name: unknown; args: unknown } }
  | { result: { id: unknown; name?: unknown; content: unknown; isError: boolean } }

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])
const record = (value: unknown): Json => (value ?? {}) as Json
const json = (value: unknown): unknown => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value)

export function substance(messages: readonly object[], format: Format): Substance {
  const found: Substance = { texts: [], uses: [] }
  for (const event of (messages as Json[]).flatMap((message) => EVENTS[format](message))) {
    if ('text' in event) {
      if (typeof event.text === 'string' && !isNoise(event.text)) found.texts.push(event.text)
    } else if ('call' in event) {
      const { args, id, name } = event.call
      found.uses.push({
        id: id as string | undefined,
        name: String(name),
        args,
        result: undefined,
        isError: false,
      })
    } else {
      const { content, id, isError, name } = event.result
      const open = found.uses.filter((use) => use.result === undefined)
      const use = open.find((each) => (id === undefined ? each.name === name : each.id === id))
      if (use === undefined) throw new Error(`result ${String(id)} without its call`)
      use.result = textOf(content)
      use.isError = isError
    }
  }
  return found
}

/** Whether a text is blank, or is put by a conversion to chat before an image of a result. */
function isNoise(text: string): boolean {
  return text.trim() === '' || /^(?:Image|File) from the result of /.test(text)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content)
  const texts = list(content).flatMap((part) => (typeof part.text === 'string' ? [part.text] : []))
  return texts.join('\n')
}

const texts = (content: unknown): Event[] =>
  typeof content === 'string' ? [{ text: content }] : list(content).flatMap((part) => textPart(part))
const textPart = (part: Json): Event[] =>
  /^(?:text|input_text|output_text)$/.test(String(part.type)) ? [{ text: part.text }] : []

const EVENTS: Record<Format, (message: Json) => Event[]> = {
  'openai-chat': (message) => {
    if (message.role === 'tool')
      return [{ result: { id: message.tool_call_id, content: message.content, isError: false } }]
    const calls = list(message.tool_calls).map(({ function: called, id }): Event => {
      const { arguments: args, name } = record(called)
      return { call: { id, name, args: json(args) } }
    })
    return [...texts(message.content), ...calls]
  },

  'openai-responses': (item) => {
    const { action, call_id: id, name, output, type } = item
    if (type === 'function_call') return [{ call: { id, name, args: json(item.arguments) } }]
    if (type === 'shell_call') return [{ call: { id, name: 'shell', args: action } }]
    if (type === 'shell_call_output')
      return [{ result: { id, content: list(output)[0]?.stdout, isError: false } }]
    if (type === 'function_call_output') return [{ result: { id, content: output, isError: false } }]
    return type === 'reasoning' ? [] : texts(item.content)
  },

  anthropic: ({ content }) => {
    if (typeof content === 'string') return [{ text: content }]
    return list(content).flatMap((block): Event[] => {
      const { id, input: args, name } = block
      if (block.type === 'tool_use') return [{ call: { id, name, args } }]
      if (block.type !== 'tool_result') return textPart(block)
      return [{ result: { id: block.tool_use_id, content: block.content, isError: block.is_error === true } }]
    })
  },

  'ai-sdk': ({ content }) => {
    if (typeof content === 'string') return [{ text: content }]
    return list(content).flatMap((part): Event[] => {
      const { input: args, output, toolCallId: id, toolName: name } = part
      if (part.type === 'tool-call') return [{ call: { id, name, args } }]
      if (part.type !== 'tool-result') return textPart(part)
      const { type, value } = record(output)
      return [{ result: { id, content: value, isError: String(type).startsWith('error') } }]
    })
  },

  'ai-sdk-ui': ({ parts }) =>
    list(parts).flatMap((part): Event[] => {
      const { errorText, input: args, output, state, toolCallId: id, toolName } = part
      if (id === undefined) return textPart(part)
      const name = toolName ?? String(part.type).replace('tool-', '')
      const isError = state === 'output-error'
      return [
        { call: { id, name, args } },
        { result: { id, content: isError ? errorText : output, isError } },
      ]
    }),

  gemini: ({ parts }) =>
    list(parts).flatMap((part): Event[] => {
      const { args, id, name } = record(part.functionCall)
      if (part.functionCall !== undefined) return [{ call: { id, name, args } }]
      if (part.functionResponse === undefined) return part.thought === true ? [] : [{ text: part.text }]
      const answer = record(part.functionResponse)
      const { error, output, result } = record(answer.response)
      const content = output ?? error ?? result ?? answer.response
      return [{ result: { id: answer.id, name: answer.name, content, isError: error !== undefined } }]
    }),

  langchain: (message) => {
    const body = record(message.data ?? message.kwargs ?? message)
    const isError = body.status === 'error'
    if (body.tool_call_id !== undefined)
      return [{ result: { id: body.tool_call_id, content: body.content, isError } }]
    const calls = list(body.tool_calls).map(({ args, id, name }): Event => ({ call: { id, name, args } }))
    return [...texts(body.content), ...calls]
  },
}
