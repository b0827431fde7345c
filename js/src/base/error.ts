/** What went wrong, for programs. */
export type TrimtabErrorCode =
  /** The history is no list of messages. */
  | 'invalid_messages'
  /** One message is not as its format has it; `index` says which. */
  | 'invalid_message'
  /** The list holds messages of several formats. */
  | 'mixed_formats'
  /** The messages are of no known format, or a `format` was named that there is not. */
  | 'unknown_format'
  /** An argument or option is wrong, or not known; `argument` says which. */
  | 'invalid_option'
  /** A policy has an unknown or wrong setting. */
  | 'invalid_policy'
  /** A text holds half of a surrogate pair where that cannot be kept. */
  | 'ill_formed_text'
  /** A saved state or Context is of a newer version, or none at all. */
  | 'unsupported_state'
  /** A reference does not lead to a text that can be given back. */
  | 'not_recallable'
  /** A getter or proxy of the host threw while a message was read. */
  | 'unreadable_message'
  /** A session file cannot be read; `line` says where. */
  | 'unreadable_transcript'
  /** There is no encoding of this name. */
  | 'unknown_encoding'
  /** There is no outline for this language. */
  | 'unknown_language'
  /** A vocabulary or its pattern cannot be used. */
  | 'invalid_vocabulary'
  /** A list of tokens holds what the encoding has not. */
  | 'invalid_tokens'
  /** `trimtab/slim` was used before `init`. */
  | 'not_initialised'
  /** A wasm file could not be loaded or compiled. */
  | 'initialisation_failed'
  /** The engine failed and was started again; the call can be repeated. */
  | 'engine_failed'
  /** The Context was disposed. */
  | 'disposed'
  /** A path is absolute, leads out of the root, or cannot be made. */
  | 'invalid_path'
  /** There is no such file. */
  | 'not_found'
  /** A folder or a device stands where a file was expected. */
  | 'not_a_file'
  /** The file system refused; `cause` says why, `isWritten` whether the file is written all the same. */
  | 'file_failed'
  /** A session store failed; `isWritten` says whether the session is saved all the same. */
  | 'store_failed'
  /** Somebody else wrote first; nothing was written. */
  | 'conflict'
  /** A session holds what cannot be saved as JSON. */
  | 'invalid_session'
  /** A stored session is damaged. */
  | 'unreadable_session'
  /** A stored session is of a newer version. */
  | 'unsupported_session'

/** Where it went wrong. */
export interface TrimtabErrorDetails {
  /** The message's position in the history. */
  index?: number
  /** The argument or option at fault. */
  argument?: string
  /** The line of a file, from 1. */
  line?: number
  /**
   * Of a write that failed: whether what was to be written is there all the same (`true`: only something after it failed,
   * as the message says) or nothing changed (`false`). Absent where that cannot be known, and where nothing was written.
   */
  isWritten?: boolean
  /** A temporary file that could not be removed. */
  leftover?: string
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
  declare readonly isWritten?: boolean
  declare readonly leftover?: string

  constructor(code: TrimtabErrorCode, message: string, details: TrimtabErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    if (details.index !== undefined) this.index = details.index
    if (details.argument !== undefined) this.argument = details.argument
    if (details.line !== undefined) this.line = details.line
    if (details.isWritten !== undefined) this.isWritten = details.isWritten
    if (details.leftover !== undefined) this.leftover = details.leftover
  }
}
