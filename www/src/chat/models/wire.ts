import type { Format } from 'trimtab'
import type { ModelEvent, ModelRequest } from '../agent/model.js'
import type { Connection } from './connection.js'

/** Fields of a JSON object from outside. */
export type Fields = Readonly<Record<string, unknown>>

/** A request as it goes to a provider. */
interface WireRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** Takes an answer together from the events of its stream. */
export interface AnswerReader {
  /** One event of the stream: what it adds to the answer. */
  read(event: Fields): Iterable<ModelEvent>
  /** Whether the provider has said that the answer is over. A stream that ends before is broken. */
  readonly isOver: boolean
  /** The answer as messages of the history; none where the model said nothing. */
  messages(): object[]
  /** Whether the answer ended at a limit of tokens. */
  readonly isCut: boolean
}

/** One provider's protocol. */
export interface Wire {
  readonly format: Format
  request(connection: Connection, request: Omit<ModelRequest, 'signal'>): WireRequest
  reader(request: Pick<ModelRequest, 'messages'>): AnswerReader
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter(isFields) : []

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
