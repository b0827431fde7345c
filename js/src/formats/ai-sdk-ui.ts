import { asRecord, asString, type JsonRecord, recordsOf } from '../base/json.js'
import { grouped } from '../base/lists.js'
import { isStepStart, stepsIn, toolName } from '../base/ui-parts.js'
import { valueParts } from './ai-sdk.js'
import { DENIED, readApproval, reasonOf, writeApproval } from './approvals.js'
import { inputObject } from './call-input.js'
import type { Codec, MessageAt } from './codec.js'
import { fileAt, urlOf, withName } from './file.js'
import type { Losses } from './lost.js'
import {
  type Approval,
  answered,
  type Block,
  type Call,
  type Message,
  type NeutralPiece,
  placeOf,
  type Result,
  type ResultPart,
  returned,
  type ServerTool,
  said,
  textBlocks,
  withOptions,
} from './neutral.js'
import { filesIn, resultText } from './result.js'
import { hasTypedPart, unknownRole } from './signs.js'
import { ANY_TOKENS } from './token-rules.js'

function isEmptyMessage({ parts, role }: JsonRecord): boolean {
  return Array.isArray(parts) && recordsOf(parts).length === 0 && role !== undefined && role !== 'model'
}

/**
 * AI SDK `UIMessage`: a turn is one message, whose steps begin with `step-start`; a call and its result are
 * one part.
 */
export const aiSdkUi: Codec<'ai-sdk-ui'> = {
  format: 'ai-sdk-ui',
  title: 'AI SDK UIMessage',
  tokens: ANY_TOKENS,
  resultsApart: false,
  approvals: true,
  // Parts of Gemini have no `type`.
  recognises: (message) => hasTypedPart(message) || isEmptyMessage(message),
  misfit: (message) => (Array.isArray(message.parts) ? unknownRole(message) : 'no UIMessage (no "parts")'),
  read: (messages, losses) => messages.flatMap((message) => read(message, losses)),
  write,
  results: (results, losses) => [
    { role: 'assistant', parts: results.map((result) => partOf(result, losses)) },
  ],
}

function read({ at, value: message }: MessageAt, losses: Losses): NeutralPiece[] {
  const parts = losses.parts(at, message.parts, 'parts')
  // Earlier versions repeat the text of the parts there.
  const text = parts.flatMap((part) => asString(part.text) ?? []).join('')
  losses.unread(at, message, message.content === text ? ['parts', 'content'] : ['parts'], 'a message')
  const { role } = message
  if (role === 'assistant') return stepsOf(parts, at, losses).flatMap((step) => readStep(step, at, losses))
  if (role !== 'system' && role !== 'user') return losses.role(at, message)
  const blocks = parts.flatMap((part) => readPart(part, at, losses))
  return [said(role, blocks, at)]
}

function stepsOf(parts: readonly JsonRecord[], at: number, losses: Losses): JsonRecord[][] {
  for (const part of parts.filter(isStepStart)) losses.unread(at, part, [], 'the start of a step')
  return stepsIn(parts).map((step) => step.filter((part) => !isStepStart(part)))
}

function readStep(parts: readonly JsonRecord[], at: number, losses: Losses): NeutralPiece[] {
  const blocks = parts.flatMap((part) => readPart(part, at, losses))
  const results = parts.flatMap((part) => {
    const isOwn = toolName(part) !== undefined && part.providerExecuted !== true
    const result = isOwn ? readResult(part, at) : undefined
    return result === undefined ? [] : [returned(result)]
  })
  return [answered(blocks, at), ...results]
}

const TEXT = ['providerMetadata', 'text']
const FILE = ['filename', 'mediaType', 'providerMetadata', 'url']
const TOOL = [
  'callProviderMetadata',
  'input',
  'rawInput',
  'resultProviderMetadata',
  'title',
  'toolCallId',
  'toolName',
]
/** Where the answer to a call stands, by its state. */
const ANSWERS = new Map([
  ['output-available', ['output']],
  ['output-error', ['errorText']],
])

function readPart(part: JsonRecord, at: number, losses: Losses): Block[] {
  const options = withOptions(part.providerMetadata)
  const name = toolName(part)
  if (name !== undefined) return [readCall(part, name, at, losses)]
  losses.unread(at, part, part.type === 'file' ? FILE : TEXT)
  if (part.type === 'text') return textBlocks(part.text).map((text) => ({ ...text, ...options }))
  if (part.type === 'reasoning') return [{ kind: 'reasoning', text: asString(part.text) ?? '', ...options }]
  const url = part.type === 'file' ? asString(part.url) : undefined
  if (url !== undefined)
    return [{ ...withName(fileAt(url, asString(part.mediaType)), part.filename), ...options }]
  return losses.part(at, part)
}

function readCall(part: JsonRecord, name: string, at: number, losses: Losses): Call | ServerTool {
  const approval = readApproval(part, at, losses)
  const answer = ANSWERS.get(asString(part.state) ?? '') ?? []
  losses.unread(at, part, [...TOOL, ...answer, ...(approval === undefined ? [] : ['approval'])])
  const called = {
    id: asString(part.toolCallId) ?? '',
    name,
    ...(approval === undefined ? {} : { approval }),
    ...withOptions(part.callProviderMetadata),
  }
  const input = part.input ?? part.rawInput
  if (part.providerExecuted !== true)
    return { kind: 'call', ...called, input: { form: 'value', value: input } }
  const result = readResult(part, at)
  return { kind: 'server-tool', ...called, input, ...(result === undefined ? {} : { result }) }
}

function readResult(part: JsonRecord, at: number): Result | undefined {
  const answer = answerIn(part)
  if (answer === undefined) return undefined
  const options = withOptions(part.resultProviderMetadata)
  return {
    callId: asString(part.toolCallId) ?? '',
    isError: part.state !== 'output-available',
    ...(part.state === 'output-denied' ? { denied: true } : {}),
    at,
    ...answer,
    ...options,
  }
}

function answerIn(part: JsonRecord): { parts: ResultPart[] } | undefined {
  switch (part.state) {
    case 'output-available':
      return { parts: valueParts(part.output) }
    case 'output-error':
      return { parts: textBlocks(part.errorText) }
    case 'output-denied':
      return { parts: textBlocks(asString(asRecord(part.approval)?.reason) ?? DENIED) }
    default:
      return undefined
  }
}

function write(messages: readonly Message[], losses: Losses): { messages: JsonRecord[] } {
  const written: { id: string; role: string; parts: JsonRecord[] }[] = []
  for (const message of messages) {
    losses.speaker(message)
    const role = message.role === 'developer' ? 'system' : message.role
    if (role === 'tool') {
      losses.add(message.at, 'result without its call')
      continue
    }
    const answers = grouped(message.results, ({ callId }) => callId)
    const parts = message.blocks.flatMap((block) => writeBlock(block, message, answers, losses))
    if (parts.length === 0) {
      losses.empty(message)
      continue
    }
    const step = role === 'assistant' ? [{ type: 'step-start' }, ...parts] : parts
    const last = written.at(-1)
    if (role === 'assistant' && last?.role === role) last.parts.push(...step)
    else written.push({ id: `message-${written.length}`, role, parts: step })
  }
  return { messages: written }
}

function metadata(options: JsonRecord | undefined, field = 'providerMetadata'): JsonRecord {
  return options === undefined ? {} : { [field]: options }
}

function writeBlock(
  block: Block,
  message: Message,
  answers: ReadonlyMap<string, Result[]>,
  losses: Losses,
): JsonRecord[] {
  const at = placeOf(block, message)
  const { role } = message
  if (block.kind === 'text') {
    losses.refusal(at, block)
    return [{ type: 'text', text: block.text, ...metadata(block.options) }]
  }
  if (block.kind === 'file' && (role === 'user' || role === 'assistant')) {
    const url = block.mediaType === '' ? undefined : urlOf(block)
    const name = block.name === undefined ? {} : { filename: block.name }
    if (url !== undefined)
      return [{ type: 'file', mediaType: block.mediaType, url, ...name, ...metadata(block.options) }]
  }
  if (role === 'assistant' && block.kind === 'reasoning')
    return [{ type: 'reasoning', text: block.text, state: 'done', ...metadata(block.options) }]
  if (role === 'assistant' && block.kind === 'call') {
    const [result] = answers.get(block.id) ?? []
    return [writeTool(block, inputObject(block, at, losses), result, at, losses)]
  }
  if (role === 'assistant' && block.kind === 'server-tool')
    return [{ ...writeTool(block, block.input ?? {}, block.result, at, losses), providerExecuted: true }]
  return losses.block(at, block)
}

function writeTool(
  { approval, id, name, options }: Call | ServerTool,
  input: unknown,
  result: Result | undefined,
  at: number,
  losses: Losses,
): JsonRecord {
  return {
    type: `tool-${name}`,
    toolCallId: id,
    ...writeState(approval, result, at, losses),
    input,
    ...metadata(options, 'callProviderMetadata'),
    ...metadata(result?.options, 'resultProviderMetadata'),
  }
}

function writeState(
  approval: Approval | undefined,
  result: Result | undefined,
  at: number,
  losses: Losses,
): JsonRecord {
  if (approval === undefined)
    return result === undefined ? { state: 'input-available' } : writeAnswer(result, losses)
  const { approved } = approval
  const asked = { approval: writeApproval(approval) }
  if (result === undefined)
    return { state: approved === undefined ? 'approval-requested' : 'approval-responded', ...asked }
  if (approved === true) return { ...writeAnswer(result, losses), ...asked }
  if (approved === false && result.denied === true) return writeDenial(approval, result, losses)
  losses.add(approval.at ?? at, 'approval of a call')
  return writeAnswer(result, losses)
}

function writeDenial(approval: Approval, result: Result, losses: Losses): JsonRecord {
  const said = reasonOf(result)
  const { reason = said } = approval
  if (said !== undefined && said !== reason) losses.add(result.at, 'text of a denied call')
  const given = reason === undefined ? approval : { ...approval, reason }
  return { state: 'output-denied', approval: writeApproval(given) }
}

/** Writes the part of a call from its result alone. */
function partOf(result: Result, losses: Losses): JsonRecord {
  return { type: `tool-${result.name ?? ''}`, toolCallId: result.callId, ...writeAnswer(result, losses) }
}

function writeAnswer(result: Result, losses: Losses): JsonRecord {
  for (const file of filesIn(result)) losses.file(result.at, file, ' in a result')
  if (result.denied === true) losses.add(result.at, 'form of a denied call (now a failure)')
  if (result.isError) return { state: 'output-error', errorText: resultText(result) }
  const [only] = result.parts
  const isValue = result.parts.length === 1 && only?.kind === 'json'
  return { state: 'output-available', output: isValue ? (only.value ?? null) : resultText(result) }
}
