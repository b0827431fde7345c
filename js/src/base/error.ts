/** What went wrong, for programs. */
export type TrimtabErrorCode =
  | 'invalid_messages'
  | 'invalid_message'
  | 'mixed_formats'
  | 'unknown_format'
  | 'invalid_option'
  | 'invalid_policy'
  | 'ill_formed_text'
  | 'unsupported_state'
  | 'not_recallable'
  | 'unreadable_message'
  | 'unreadable_transcript'
  | 'unknown_encoding'
  | 'unknown_language'
  | 'invalid_vocabulary'
  | 'invalid_tokens'
  | 'not_initialised'
  | 'initialisation_failed'
  | 'engine_failed'
  | 'disposed'
  | 'invalid_path'
  | 'not_found'
  | 'not_a_file'
  | 'file_failed'
  | 'store_failed'
  | 'conflict'
  | 'invalid_session'
  | 'unreadable_session'
  | 'unsupported_session'

/** Where it went wrong. */
export interface TrimtabErrorDetails {
  /** The message's position in the history. */
  index?: number
  /** The argument or option at fault. */
  argument?: string
  /** The line of a file, from 1. */
  line?: number
  /** The error behind this one. */
  cause?: unknown
}

/** Every error that this package throws. The message says what is wrong and what to do. */
export class TrimtabError extends Error {
  override readonly name = 'TrimtabError'
  readonly code: TrimtabErrorCode
  // Declared alone: an error prints what it knows, and no `undefined`.
  declare readonly index?: number
  declare readonly argument?: string
  declare readonly line?: number

  constructor(code: TrimtabErrorCode, message: string, details: TrimtabErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    if (details.index !== undefined) this.index = details.index
    if (details.argument !== undefined) this.argument = details.argument
    if (details.line !== undefined) this.line = details.line
  }
}
