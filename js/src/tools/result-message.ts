import { TrimtabError } from '../base/error.js'
import { asRecord, type JsonRecord, recordsOf } from '../base/json.js'
import { checkIsArray, checkIsObject } from '../base/options.js'
import { refuseOption, shown } from '../base/refuse.js'
import type { Format } from '../generated/types.js'
import { shallowCopy } from '../history/apply.js'
import type { ToolCall } from './calls.js'
import type { ToolResult } from './tool.js'

/** A call and what its tool answered. */
export interface AnsweredCall {
  call: Pick<ToolCall, 'id' | 'name'>
  result: Pick<ToolResult, 'content' | 'isError' | 'ephemeral'>
}

/**
 * The results of one answer of the model as messages of a format, with the ids, marked where a tool failed as far as the
 * format has a mark for it.
 *
 * A message that holds ephemeral content has `metadata.ephemeral`. Anthropic, Gemini and the AI SDK hold all results of
 * an answer in one message, which then goes as a whole. Providers take no `metadata`: see {@link withoutMetadata}.
 *
 * `ai-sdk-ui` has no messages for results: there it is a message of the parts, which {@link addToolResults} puts in
 * place.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function toolResultMessages(format: Format, answers: readonly AnsweredCall[]): object[] {
  const write = typeof format === 'string' && Object.hasOwn(WRITERS, format) ? WRITERS[format] : undefined
  if (write === undefined) {
    const message = `format: there is no format ${shown(format)}; there are ${Object.keys(WRITERS).join(', ')}`
    throw new TrimtabError('invalid_option', message, { argument: 'format' })
  }
  if (!Array.isArray(answers) || !answers.every(isAnswered)) {
    refuseOption('answers', 'a list of {call, result}: openToolCalls and runToolCall give them', answers)
  }
  return answers.length === 0 ? [] : write(answers)
}

function isAnswered(answer: Partial<AnsweredCall> | null | undefined): boolean {
  const { call, result } = answer ?? {}
  return typeof call?.id === 'string' && typeof call.name === 'string' && typeof result?.content === 'string'
}

/** The result of one call as a message: {@link toolResultMessages} for an answer with one call. */
export function toolResultMessage(
  format: Format,
  call: AnsweredCall['call'],
  result: AnsweredCall['result'],
): object {
  return toolResultMessages(format, [{ call, result }])[0] as object
}

/** The history with the results of its last answer. The history itself is not changed. */
export function addToolResults<M extends object>(
  history: readonly M[],
  format: Format,
  answers: readonly AnsweredCall[],
): M[] {
  checkIsArray(history)
  const messages = toolResultMessages(format, answers)
  if (format !== 'ai-sdk-ui') return [...history, ...(messages as M[])]
  const last = history.at(-1)
  if (last === undefined || answers.length === 0) return [...history]
  return [...history.slice(0, -1), withAnswers(last, messages[0] as JsonRecord) as M]
}

/** The messages as providers take them: without the `metadata` that marks ephemeral content. `ai-sdk-ui` keeps its own. */
export function withoutMetadata<M extends object>(messages: readonly M[], format: Format): M[] {
  checkIsArray(messages)
  for (const message of messages) checkIsObject('messages', message)
  if (format === 'ai-sdk-ui') return [...messages]
  return messages.map((message) => {
    if (!('metadata' in message)) return message
    const copy = shallowCopy(message)
    delete copy.metadata
    return copy as M
  })
}

type Writer = (answers: readonly AnsweredCall[]) => object[]

const mark = (...answers: AnsweredCall[]) =>
  answers.some(({ result }) => result.ephemeral) ? { metadata: { ephemeral: true } } : {}
const named = (name: string, id: string) => (id === '' ? {} : { [name]: id })

const WRITERS: Record<Format, Writer> = {
  'openai-chat': (answers) =>
    answers.map((answer) => ({
      role: 'tool',
      tool_call_id: answer.call.id,
      content: answer.result.content,
      ...mark(answer),
    })),
  'openai-responses': (answers) =>
    answers.map((answer) => ({
      type: 'function_call_output',
      call_id: answer.call.id,
      output: answer.result.content,
      ...mark(answer),
    })),
  anthropic: (answers) => [
    {
      role: 'user',
      content: answers.map(({ call, result }) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        // Anthropic refuses a blank text.
        content: result.content.trim() === '' ? '(empty)' : result.content,
        ...(result.isError ? { is_error: true } : {}),
      })),
      ...mark(...answers),
    },
  ],
  'ai-sdk': (answers) => [
    {
      role: 'tool',
      content: answers.map(({ call, result }) => ({
        type: 'tool-result',
        toolCallId: call.id,
        toolName: call.name,
        output: { type: result.isError ? 'error-text' : 'text', value: result.content },
      })),
      ...mark(...answers),
    },
  ],
  'ai-sdk-ui': (answers) => [
    {
      role: 'assistant',
      parts: answers.map(({ call, result }) => ({
        type: `tool-${call.name}`,
        toolCallId: call.id,
        ...(result.isError
          ? { state: 'output-error', errorText: result.content }
          : { state: 'output-available', output: result.content }),
      })),
      ...mark(...answers),
    },
  ],
  gemini: (answers) => [
    {
      role: 'user',
      parts: answers.map(({ call, result }) => ({
        functionResponse: {
          ...named('id', call.id),
          name: call.name,
          response: result.isError ? { error: result.content } : { output: result.content },
        },
      })),
      ...mark(...answers),
    },
  ],
  langchain: (answers) =>
    answers.map((answer) => ({
      type: 'tool',
      content: answer.result.content,
      tool_call_id: answer.call.id,
      name: answer.call.name,
      status: answer.result.isError ? 'error' : 'success',
      ...mark(answer),
    })),
}

/** A `UIMessage` whose calls have their answers; type and input of a call stay as they are. */
function withAnswers(message: object, answers: JsonRecord): object {
  const byId = new Map(recordsOf(answers.parts).map((part) => [part.toolCallId, part]))
  const parts = recordsOf((message as JsonRecord).parts).map((part) => {
    const answer = byId.get(part.toolCallId)
    return answer === undefined ? part : { ...part, ...answer, type: part.type }
  })
  const metadata = { ...asRecord((message as JsonRecord).metadata), ...asRecord(answers.metadata) }
  return { ...message, parts, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
}
