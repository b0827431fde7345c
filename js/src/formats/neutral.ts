import type { JsonRecord } from '../base/json.js'
import type { Piece } from './arrange.js'

/**
 * A conversation between two formats: each format has one reader to here and one writer from here. What only some
 * providers know travels as `options`, in the shape of the AI SDK's `providerOptions`: `{anthropic: {signature}}`.
 */
export interface Message {
  role: Role
  blocks: Block[]
  /** The message of the source that it comes from. */
  at: number
  /** The name of who speaks, where several do. */
  speaker?: string
  /** What answers the calls in `blocks`, in the order in which it came. */
  results: Result[]
}

/** `tool` is a result whose call is not in the conversation. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

export type Block = Text | File | Reasoning | Call | ServerTool

export interface Text {
  kind: 'text'
  text: string
  /** The assistant refuses in it. */
  refusal?: true
  options?: JsonRecord
}

/** An image or any other file: its bytes as base64, its text, its address, or its id at OpenAI. */
export interface File {
  kind: 'file'
  /** `image/*` for an image of a kind that is not known; empty where nothing is known. */
  mediaType: string
  data?: string
  text?: string
  url?: string
  openAiId?: string
  name?: string
  options?: JsonRecord
}

export interface Reasoning {
  kind: 'reasoning'
  text: string
  options?: JsonRecord
}

export interface Call {
  kind: 'call'
  /** Begins with {@link NO_ID} where the source has none. */
  id: string
  name: string
  input: CallInput
  options?: JsonRecord
}

/** `json`: as the model wrote it. `free`: a tool that takes plain text. */
export type CallInput =
  | { form: 'json'; text: string }
  | { form: 'value'; value: unknown }
  | { form: 'free'; text: string }

/** A tool that the provider ran itself, with its result. Only the AI SDK's two formats share these. */
export interface ServerTool {
  kind: 'server-tool'
  id: string
  name: string
  input: unknown
  result?: Result
  options?: JsonRecord
}

export interface Result {
  callId: string
  /** The call that it answers. */
  call?: Call
  /** The tool, where the result itself says it. */
  name?: string
  parts: ResultPart[]
  isError: boolean
  at: number
  options?: JsonRecord
}

export type ResultPart = Text | File | Json

/** What a tool returned as a value. */
interface Json {
  kind: 'json'
  value: unknown
}

/** Stands before the position of a call that has no id. */
export const NO_ID = '\u0000'

/** A message in the order of the source, before results are put to their calls. */
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

export function callsIn({ blocks }: Message): Call[] {
  return blocks.filter((block) => block.kind === 'call')
}

/** A text as blocks; none for an empty one. */
export function textBlocks(text: unknown, options?: JsonRecord): Text[] {
  if (typeof text !== 'string' || text === '') return []
  return [{ kind: 'text', text, ...withOptions(options) }]
}

export function withOptions(options: unknown): { options?: JsonRecord } {
  const isThere = typeof options === 'object' && options !== null && Object.keys(options).length > 0
  return isThere ? { options: options as JsonRecord } : {}
}

function messageOf(role: Role, blocks: Block[], at: number, speaker: unknown): Message {
  const named = typeof speaker === 'string' && speaker !== '' ? { speaker } : {}
  return { role, blocks, at, ...named, results: [] }
}
