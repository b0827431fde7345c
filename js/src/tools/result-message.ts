import {
  check,
  checkMessages,
  checkOptions,
  isList,
  kind,
  OBJECT,
  readable,
  refuse,
  refuseWith,
  shown,
} from '../base/check.js'
import { checkFormat, FORMAT } from '../base/format.js'
import { asRecord, asString, type JsonRecord, recordsOf } from '../base/json.js'
import { codecOf } from '../formats/codecs.js'
import { type Answer, writeAnswers } from '../formats/convert.js'
import type { BlockFacts, Format } from '../generated/types.js'
import { shallowCopy } from '../history/apply.js'
import { formatOf } from '../history/format.js'
import { History } from '../history/history.js'
import { NeutralHistory } from '../history/read-messages.js'
import type { FormatOptions } from '../history/types.js'
import type { ToolCall } from './calls.js'
import type { ToolResult } from './tool.js'

/** A call and its tool's result. */
export interface AnsweredCall {
  call: Pick<ToolCall, 'id' | 'name'>
  result: Pick<ToolResult, 'content' | 'isError' | 'ephemeral'>
}

/**
 * Converts the results of one answer of the model to messages of a format, with their ids. Failed results are marked if
 * the format has a mark for them.
 *
 * A message with ephemeral content has `metadata.ephemeral`. Anthropic, Gemini and the AI SDK hold all results of an
 * answer in one message, which is then removed as a whole. Providers reject `metadata`: see {@link withoutMetadata}.
 *
 * `ai-sdk-ui` has no messages for results: the returned message holds the parts, which {@link addToolResults} puts in
 * place. There the mark is on the part, as `toolMetadata.ephemeral`, because a message holds all steps of a turn.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function toolResultMessages(answers: readonly AnsweredCall[], options: { format: Format }): object[] {
  return readable('answers', () => {
    check('answers', answers, ANSWERS)
    options = checkOptions(options, { format: FORMAT }, 'toolResultMessages')
    const format = checkFormat('format', options.format)
    // If each result is a separate message, each has its own mark.
    const groups = codecOf(format).resultsApart ? answers.map((answer) => [answer]) : [answers]
    return groups.flatMap((group) => {
      const messages = writeAnswers(group.map(answerOf), format)
      if (format === 'ai-sdk-ui') return messages.map((message) => withMarks(message as JsonRecord, group))
      const isEphemeral = group.some(({ result }) => result.ephemeral)
      return isEphemeral ? messages.map((message) => ({ ...message, metadata: mark() })) : messages
    })
  })
}

/** A mark of its own for each message: hosts may add to `metadata`. */
const mark = () => ({ ephemeral: true })

/** Marks the parts of a `UIMessage` that have ephemeral results: it has a part for each answer. */
function withMarks(message: JsonRecord, answers: readonly AnsweredCall[]): object {
  const parts = recordsOf(message.parts)
  const isEphemeral = (at: number) => answers[at]?.result.ephemeral === true
  return {
    ...message,
    parts: parts.map((part, at) => (isEphemeral(at) ? { ...part, toolMetadata: mark() } : part)),
  }
}

const ANSWERS = kind<readonly AnsweredCall[]>(
  'an array of {call, result}: openToolCalls and runToolCall give them',
  (value) => isList(value) && value.every(isAnswered),
)

function answerOf({ call: { id, name }, result: { content, isError } }: AnsweredCall): Answer {
  return { id, name, content, isError }
}

function isAnswered(answer: unknown): boolean {
  const { call, result } = (answer ?? {}) as Partial<AnsweredCall>
  return isAnswerable(call) && typeof result?.content === 'string'
}

/** Items of Responses and of OpenAI Agents have the call's id in another field; `id` is the item's. */
function isAnswerable(call: Partial<AnsweredCall['call']> | undefined): boolean {
  if (typeof call?.id !== 'string' || typeof call.name !== 'string') return false
  return !('call_id' in call || 'callId' in call)
}

/** Makes the message for the result of one call: {@link toolResultMessages} for an answer with one call. */
export function toolResultMessage(answer: AnsweredCall, options: { format: Format }): object {
  return toolResultMessages([answer], options)[0] as object
}

/**
 * Returns the history with the results of its last answer added. The input is not changed.
 *
 * @throws {TrimtabError} `invalid_option`, also for an answer whose call is not in the history, or has a result already;
 * in `ai-sdk-ui` also for one whose call is not in the last message.
 */
export function addToolResults<M extends object>(
  history: readonly M[],
  answers: readonly AnsweredCall[],
  options: FormatOptions = {},
): M[] {
  return readable('answers', () => {
    options = checkOptions(options, { format: FORMAT }, 'addToolResults')
    history = checkMessages(history)
    const format = formatOf(history, options.format)
    const messages = toolResultMessages(answers, { format })
    if (messages.length === 0) return [...history]
    if (format !== 'ai-sdk-ui') {
      checkAnswered(history, messages, answers, format)
      return [...history, ...(messages as M[])]
    }
    const last = history.at(-1) ?? {}
    const calls = recordsOf((last as JsonRecord).parts).filter(isUnanswered)
    const open = new Set(calls.map((part) => part.toolCallId))
    answers.forEach(({ call }, at) => {
      if (!open.delete(call.id))
        refuse(`answers[${at}].call.id`, 'that of an open call in the last message', call.id)
    })
    return [...history.slice(0, -1), withAnswers(last, messages[0] as JsonRecord) as M]
  })
}

/** Numbers of last messages in which open calls are searched for: usually they are in the last one. */
const TAILS = [8, 64, Number.POSITIVE_INFINITY]

/** Throws if a result answers no open call of the history. */
function checkAnswered(
  history: readonly object[],
  results: readonly object[],
  answers: readonly AnsweredCall[],
  format: Format,
): void {
  let unasked = 0
  for (const length of TAILS) {
    unasked = firstUnasked(history.slice(-length), results, answers, format)
    if (unasked < 0) return
    if (length >= history.length) break
  }
  const { call } = answers[unasked] as AnsweredCall
  const named = call.id === '' ? `call of ${call.name}` : `call ${shown(call.id)}`
  const advice =
    "append the model's answer to the history before its results, and answer each call of openToolCalls once"
  refuseWith(
    `answers[${unasked}].call.id`,
    `answers[${unasked}]: the history has no open ${named}: ${advice}`,
  )
}

/**
 * Position of the first answer whose call is not open; -1 if there is none. Asked of the messages with the results,
 * because formats differ in how a result names its call: Gemini's may have the tool's name alone.
 */
function firstUnasked(
  messages: readonly object[],
  results: readonly object[],
  answers: readonly AnsweredCall[],
  format: Format,
): number {
  // One of its own, so that the host's history stays read.
  const session = new History(format)
  try {
    return firstUnaskedOf(new NeutralHistory(session, [...messages, ...results]), messages.length, answers)
  } finally {
    session.free()
  }
}

function firstUnaskedOf(history: NeutralHistory, from: number, answers: readonly AnsweredCall[]): number {
  const isResult = ({ kind }: BlockFacts) => kind === 'tool-result'
  const added = history.messages.slice(from).flatMap(({ blocks }) => blocks.filter(isResult))
  return answers.findIndex(({ call }, at) => {
    const result = added[at]
    const isOpen = result?.isPaired && history.callOf(result)?.providerExecuted !== true
    return !isOpen && !(call.id === '' && isCalledWithoutId(history, call.name))
  })
}

/** Whether a call without an id is open, as some servers send it in formats that need one. */
const isCalledWithoutId = (history: NeutralHistory, name: string): boolean =>
  history.blocks().some((block) => {
    return block.kind === 'tool-call' && !block.isPaired && !block.callId && block.tool === name
  })

/**
 * Returns the messages without the `metadata` that marks ephemeral content, which providers reject. `ai-sdk-ui` keeps
 * its metadata.
 */
export function withoutMetadata<M extends object>(messages: readonly M[], options: FormatOptions = {}): M[] {
  return readable('messages', () => {
    options = checkOptions(options, { format: FORMAT }, 'withoutMetadata')
    messages = checkMessages(messages)
    for (const message of messages) check('messages', message, OBJECT)
    if (formatOf(messages, options.format) === 'ai-sdk-ui') return [...messages]
    return messages.map((message) => {
      if (!('metadata' in message)) return message
      const copy = shallowCopy(message)
      delete copy.metadata
      return copy as M
    })
  })
}

/** Whether a part of a `UIMessage` is a call without a result, or with one of which more is to come. */
const isUnanswered = ({ state, preliminary }: JsonRecord) =>
  preliminary === true || !(asString(state) ?? '').startsWith('output-')

/** Adds results to the calls of a `UIMessage`; a call's type and input stay unchanged. */
function withAnswers(message: object, answers: JsonRecord): object {
  const byId = new Map(recordsOf(answers.parts).map((part) => [part.toolCallId, part]))
  const parts = recordsOf((message as JsonRecord).parts).map((part) => {
    const answer = byId.get(part.toolCallId)
    if (answer === undefined) return part
    const toolMetadata = { ...asRecord(part.toolMetadata), ...asRecord(answer.toolMetadata) }
    const hasMetadata = Object.keys(toolMetadata).length > 0
    const { preliminary: _, ...call } = part
    return { ...call, ...answer, type: part.type, ...(hasMetadata && { toolMetadata }) }
  })
  return { ...message, parts }
}
