import type { JsonRecord } from '../base/json.js'
import type { Piece } from './arrange.js'

/**
 * A message in the neutral form between formats: each format has one reader to it and one writer from it.
 * Data of single providers is kept in `options`, in the form of the AI SDK's `providerOptions`:
 * `{anthropic: {signature}}`.
 */
export interface Message {
  role: Role
  blocks: Block[]
  /** The position of the source message. */
  at: number
  /** The name of the speaker, in conversations with several. */
  speaker?: string
  /** The results of the calls in `blocks`, in the order of their arrival. */
  results: Result[]
}

/** `tool` is a result whose call is not in the conversation. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

export type Block = Text | File | Reasoning | Call | ServerTool

interface Placed {
  /** The position of its item, where a message is read from several. */
  at?: number
}

export interface Text extends Placed {
  kind: 'text'
  text: string
  /** Whether the text is a refusal of the assistant. */
  refusal?: true
  options?: JsonRecord
}

/** An image or another file: its bytes in base64, its text, its URL, or its id where a provider stores it. */
export interface File extends Placed {
  kind: 'file'
  /** `image/*` for an image of unknown type; empty if nothing is known. */
  mediaType: string
  data?: string
  text?: string
  url?: string
  openAiId?: string
  anthropicId?: string
  name?: string
  /** The detail in which OpenAI's models are to see an image; absent if it is not stated, or `auto`. */
  detail?: 'low' | 'high'
  options?: JsonRecord
}

export interface Reasoning extends Placed {
  kind: 'reasoning'
  text: string
  options?: JsonRecord
}

export interface Call extends Placed {
  kind: 'call'
  /** Begins with {@link NO_ID} if the source has none. */
  id: string
  name: string
  input: CallInput
  approval?: Approval
  options?: JsonRecord
}

/** The user is asked before a call is run. Only the AI SDK's two formats have this. */
export interface Approval {
  id: string
  /** What the request contains beside its ids: a reason, a signature. */
  request: JsonRecord
  /** The user's answer, if there is one, and its reason. */
  approved?: boolean
  reason?: string
  /** The position of the answer, where it is a message of its own. */
  at?: number
}

/** `json`: text written by the model. `free`: input of a tool that takes plain text. */
export type CallInput =
  | { form: 'json'; text: string }
  | { form: 'value'; value: unknown }
  | { form: 'free'; text: string }

/** A tool that the provider ran itself, with its result. Only the AI SDK's two formats have these. */
export interface ServerTool extends Placed {
  kind: 'server-tool'
  id: string
  name: string
  input: unknown
  approval?: Approval
  result?: Result
  options?: JsonRecord
}

export interface Result {
  callId: string
  /** The call that it answers. */
  call?: Call
  /** The tool's name, if the result contains it. */
  name?: string
  parts: ResultPart[]
  isError: boolean
  /** Whether the user denied the call: it was not run. */
  denied?: boolean
  at: number
  options?: JsonRecord
}

export type ResultPart = Text | File | Json

/** A value returned by a tool. */
interface Json {
  kind: 'json'
  value: unknown
}

/** Precedes the position in the id of a call without an id. */
export const NO_ID = '\u0000'

/** A message in the order of the source, before results are paired with their calls. */
export type NeutralPiece = Piece<Message, Result, Message>

export function said(role: Role, blocks: Block[], at: number, speaker?: unknown): NeutralPiece {
  const value = messageOf(role, blocks, at, speaker)
  return { kind: 'other', value, at }
}

export function answered(blocks: Block[], at: number, speaker?: unknown): NeutralPiece {
  const value = messageOf('assistant', blocks, at, speaker)
  return { kind: 'assistant', value, callIds: callsIn(value).map(({ id }) => id), at }
}

export function returned(result: Result): NeutralPiece {
  return { kind: 'result', value: result, callId: result.callId, at: result.at }
}

/** The position in the source of a block of a message. */
export function placeOf(block: Block, { at }: Message): number {
  return block.at ?? at
}

export function callsIn({ blocks }: Message): Call[] {
  return blocks.filter((block) => block.kind === 'call')
}

/** A text as blocks; none if it is empty. */
export function textBlocks(text: unknown, options?: JsonRecord): Text[] {
  if (typeof text !== 'string' || text === '') return []
  return [{ kind: 'text', text, ...withOptions(options) }]
}

/** The text of a refusal as blocks; none if it is empty. */
export function refusalBlocks(text: unknown): Text[] {
  return textBlocks(text).map((block) => ({ ...block, refusal: true }))
}

export function withOptions(options: unknown): { options?: JsonRecord } {
  const isThere = typeof options === 'object' && options !== null && Object.keys(options).length > 0
  return isThere ? { options: options as JsonRecord } : {}
}

function messageOf(role: Role, blocks: Block[], at: number, speaker: unknown): Message {
  const named = typeof speaker === 'string' && speaker !== '' ? { speaker } : {}
  return { role, blocks, at, ...named, results: [] }
}
