import { asRecord, asString, type JsonRecord, recordsOf } from '../base/json.js'
import type { MessageAt } from './codec.js'
import type { Losses } from './lost.js'
import {
  type Approval,
  type Block,
  type Call,
  callsIn,
  type Message,
  placeOf,
  type Result,
  type ServerTool,
  textBlocks,
} from './neutral.js'
import { resultText } from './result.js'

/** The text for the model if the user gave no reason. */
export const DENIED = 'Tool execution denied.'

/** Texts that the AI SDK writes if the user gave no reason. */
const NO_REASON = new Set(['', DENIED, 'Tool call execution denied.'])

/** The reason in the result of a denied call. */
export function reasonOf(result: Result): string | undefined {
  const text = resultText(result)
  return NO_REASON.has(text) ? undefined : text
}

/** Fields of a request that are carried as they are. */
const CARRIED = ['isAutomatic', 'signature', 'inputSchemaInput']

function carried(from: JsonRecord): JsonRecord {
  return Object.fromEntries(CARRIED.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])))
}

function approvalOf(id: string, request: JsonRecord, { approved, reason }: JsonRecord): Approval {
  const isAnswered = typeof approved === 'boolean'
  return {
    id,
    request,
    ...(isAnswered ? { approved } : {}),
    ...(isAnswered && typeof reason === 'string' ? { reason } : {}),
  }
}

/** Reads the approval in the part of a call of a `UIMessage`. */
export function readApproval(part: JsonRecord, at: number, losses: Losses): Approval | undefined {
  const own = asRecord(part.approval)
  const id = asString(own?.id)
  if (own === undefined || id === undefined) return undefined
  losses.unread(at, own, ['reason', 'requestReason', ...CARRIED], 'an approval')
  const { requestReason } = own
  return approvalOf(
    id,
    { ...carried(own), ...(requestReason === undefined ? {} : { reason: requestReason }) },
    own,
  )
}

/** Writes an approval into the part of a call of a `UIMessage`. */
export function writeApproval({ approved, id, reason, request }: Approval): JsonRecord {
  const { reason: requestReason, ...others } = request
  return {
    id,
    ...(approved === undefined ? {} : { approved }),
    ...(reason === undefined ? {} : { reason }),
    ...(requestReason === undefined ? {} : { requestReason }),
    ...others,
  }
}

/** The request to approve a call, as a part beside the call. */
export function writeRequest({ id, request }: Approval, toolCallId: string): JsonRecord {
  return { type: 'tool-approval-request', approvalId: id, toolCallId, ...request }
}

/** The user's answers about the calls of a message, as parts of a tool message. */
export function writeResponses({ blocks }: Message): JsonRecord[] {
  return blocks.flatMap((block) => {
    const { approval } = isTool(block) ? block : {}
    if (approval?.approved === undefined) return []
    const { approved, id, reason } = approval
    return [
      {
        type: 'tool-approval-response',
        approvalId: id,
        approved,
        ...(reason === undefined ? {} : { reason }),
        ...(block.kind === 'server-tool' ? { providerExecuted: true } : {}),
      },
    ]
  })
}

const isTool = (block: Block): block is Call | ServerTool =>
  block.kind === 'call' || block.kind === 'server-tool'

/** The approvals of `ModelMessage`s: a request stands beside its call, and the answer in a later tool message. */
export class Approvals {
  readonly #asked = new Set<unknown>()
  readonly #responses = new Map<unknown, MessageAt>()

  constructor(messages: readonly MessageAt[]) {
    for (const { at, value } of messages) {
      const parts = value.role === 'tool' ? recordsOf(value.content) : []
      for (const part of parts)
        if (part.type === 'tool-approval-response') this.#responses.set(part.approvalId, { at, value: part })
    }
  }

  /** Whether an answer is that of a call that was read before. */
  isKnown({ approvalId }: JsonRecord): boolean {
    return this.#asked.has(approvalId)
  }

  /** Gives the calls of a message their approvals; `parts` are those of the message. */
  attach(parts: readonly JsonRecord[], blocks: readonly Block[], at: number, losses: Losses): void {
    for (const part of parts) {
      if (part.type !== 'tool-approval-request') continue
      const { approvalId, reason, toolCallId } = part
      const call = blocks
        .filter(isTool)
        .find(({ approval, id }) => id === toolCallId && approval === undefined)
      if (call === undefined || typeof approvalId !== 'string') {
        losses.part(at, part)
        continue
      }
      this.#asked.add(approvalId)
      const request = { ...(reason === undefined ? {} : { reason }), ...carried(part) }
      const response = this.#responses.get(approvalId)
      call.approval = {
        ...approvalOf(approvalId, request, response?.value ?? {}),
        ...(response === undefined ? {} : { at: response.at }),
      }
    }
  }
}

/** Gives every denied call a result that says so: it is not run any more. */
export function withDenials(message: Message): Message {
  const denied = callsIn(message).filter(({ approval }) => approval?.approved === false)
  if (denied.length === 0) return message
  const results = message.results.map((result) =>
    result.isError && denied.some((call) => call === result.call) ? { ...result, denied: true } : result,
  )
  const answered = new Set(results.map(({ call }) => call))
  const missing = denied.filter((call) => !answered.has(call))
  return { ...message, results: [...results, ...missing.map((call) => denial(call, placeOf(call, message)))] }
}

function denial(call: Call, at: number): Result {
  const parts = textBlocks(call.approval?.reason ?? DENIED)
  return { callId: call.id, call, name: call.name, parts, isError: true, denied: true, at }
}

/** Reports the approvals of a message for a target that has no place for them. */
export function reportApprovals(message: Message, losses: Losses): void {
  for (const call of callsIn(message)) {
    if (call.approval === undefined) continue
    const at = call.approval.at ?? placeOf(call, message)
    const result = message.results.find((one) => one.call === call)
    const what = call.approval.approved === undefined ? 'request to approve a call' : 'approval of a call'
    if (result === undefined) losses.add(at, `${what} (now an open call)`)
    else if (!saysDenial(result, call.approval)) losses.add(at, what)
  }
  for (const { at, denied } of message.results)
    if (denied === true) losses.add(at, 'form of a denied call (now a failure)')
}

/** Whether a result says that the call was denied, and why. */
function saysDenial(result: Result, { reason = '' }: Approval): boolean {
  return result.denied === true && resultText(result).includes(reason)
}
