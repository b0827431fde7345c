import type { ModelEvent, ModelRequest } from '../agent/model.js'
import type { Connection } from './connection.js'

/** Fields of an untrusted JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** A request in a provider's protocol. */
interface WireRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** Assembles an answer from the events of its stream. */
export interface AnswerReader {
  /** Processes one event of the stream and yields what it adds to the answer. */
  read(event: Fields): Iterable<ModelEvent>
  /** Whether the provider marked the answer as complete. A stream that ends earlier is broken. */
  readonly isOver: boolean
  /** Returns the answer as messages of the history; none if the answer is empty. */
  messages(): object[]
  /** Whether the answer reached its token limit. */
  readonly isCut: boolean
}

/** One provider's protocol. */
export interface Wire {
  request(connection: Connection, request: Omit<ModelRequest, 'signal'>): WireRequest
  reader(request: Pick<ModelRequest, 'messages'>): AnswerReader
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : []

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Returns a copy in which half of a surrogate pair is U+FFFD. The engine's texts are UTF-8, which has no such halves:
 * a result would name another call than the model's, and providers refuse both.
 */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!isFields(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, one]) => [name.toWellFormed(), wellFormed(one)]))
}

/**
 * Returns a value as JSON in which half of a surrogate pair is U+FFFD: a session that was opened may have such texts.
 * `JSON.stringify` writes each half as an escape.
 */
export function wellFormedJson(value: object): string {
  const text = JSON.stringify(value)
  if (!/\\ud[89a-f]/.test(text)) return text
  // Each escape is read as a whole: a backslash before one is an escape itself.
  return text.replace(/\\(?:u[\da-f]{4}|.)/g, (one) => (/^\\ud[89a-f]/.test(one) ? '\ufffd' : one))
}
