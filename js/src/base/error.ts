import type { ProblemCode } from '../generated/protocol.js'

/** The kind of error, for programs. */
export type TrimtabErrorCode =
  | ProblemCode
  /** The history is not a list of messages. */
  | 'invalid_messages'
  /** A text contains a lone surrogate, which cannot be stored here. */
  | 'ill_formed_text'
  /** The value is not a saved state or Context, or was saved by a newer version. */
  | 'unsupported_state'
  /** A getter or proxy threw while a message was read. */
  | 'unreadable_message'
  /** A session file cannot be read; `line` is the place. */
  | 'unreadable_transcript'
  /** No encoding has this name. */
  | 'unknown_encoding'
  /** Outlines do not support this language. */
  | 'unknown_language'
  /** A vocabulary or its pattern is invalid. */
  | 'invalid_vocabulary'
  /** A list of tokens contains an id that the encoding does not have. */
  | 'invalid_tokens'
  /** A function of `trimtab/slim` was called before `init`. */
  | 'not_initialised'
  /** A wasm file could not be loaded or compiled. */
  | 'initialisation_failed'
  /** The engine failed and was restarted; the call can be repeated. */
  | 'engine_failed'
  /** The Context was disposed. */
  | 'disposed'
  /** A path is absolute, leads out of the root, or is not a valid name. */
  | 'invalid_path'
  /** The file does not exist. */
  | 'not_found'
  /** The path is a folder or a device, not a file. */
  | 'not_a_file'
  /** A file system call failed; `cause` says why, `isWritten` whether the file was written anyway. */
  | 'file_failed'
  /** A session store failed; `isWritten` says whether the session was saved anyway. */
  | 'store_failed'
  /** Another writer was first; nothing was written. */
  | 'conflict'
  /** A session contains a value that cannot be saved as JSON. */
  | 'invalid_session'
  /** A stored session is damaged. */
  | 'unreadable_session'
  /** A stored session was saved by a newer version. */
  | 'unsupported_session'

/** Where an error occurred. */
export interface TrimtabErrorDetails {
  /** The message's position in the history. */
  index?: number | undefined
  /** The argument or option at fault. */
  argument?: string | undefined
  /** The line of a file, from 1. */
  line?: number | undefined
  /**
   * For a write that failed: `true` if the data was written anyway and a later step failed (the message names it), `false`
   * if nothing changed. Absent if that is unknown, or if the error is not about a write.
   */
  isWritten?: boolean | undefined
  /** A temporary file that could not be removed. */
  leftover?: string | undefined
  /** The underlying error. */
  cause?: unknown
}

/** The class of every error that this package throws. The message says what is wrong and what to do. */
export class TrimtabError extends Error {
  override readonly name = 'TrimtabError'
  declare readonly code: TrimtabErrorCode
  // Declared without a value, so that a printed error does not list fields that are `undefined`.
  declare readonly index?: number
  declare readonly argument?: string
  declare readonly line?: number
  declare readonly isWritten?: boolean
  declare readonly leftover?: string

  constructor(code: TrimtabErrorCode, message: string, details: TrimtabErrorDetails = {}) {
    super(asText(message))
    this.code = code
    try {
      for (const name of Object.keys(details)) {
        try {
          const value = (details as Record<string, unknown>)[name]
          // A printed error does not list the cause.
          const enumerable = name !== 'cause'
          if (value !== undefined)
            Object.defineProperty(this, name, { value, writable: true, enumerable, configurable: true })
        } catch {
          // A getter of the host threw: the other fields may be readable.
        }
      }
    } catch {
      // There is nothing to read.
    }
  }

  /**
   * Whether something thrown is of this class; a revoked proxy, which throws if it is asked, is not.
   *
   * @internal
   */
  static override [Symbol.hasInstance](thrown: unknown): thrown is TrimtabError {
    try {
      // biome-ignore lint/complexity/noThisInStatic: of `Error` every error is an instance
      return super[Symbol.hasInstance](thrown)
    } catch {
      return false
    }
  }
}

/** Returns the message of an exception. A host may throw anything, even what cannot be converted to text. */
export function reasonOf(cause: unknown): string {
  try {
    const told = (cause as { message?: unknown } | null | undefined)?.message
    return String(cause instanceof Error || typeof told === 'string' ? told : cause)
  } catch {
    return 'an error that cannot be read'
  }
}

/** Returns the exception, or an error instead of a revoked proxy, whose class cannot be asked for. */
export function askable(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error)
    return thrown
  } catch {
    return new Error(reasonOf(thrown))
  }
}

/** The text of any value; a host may throw, or pass, what cannot be converted to one. */
export function asText(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'an object without a text'
  }
}

/** Returns the error for an exception of the host's getter or proxy. */
export function unreadable(index: number, cause: unknown, failed = 'read'): TrimtabError {
  const message = `messages[${index}] cannot be ${failed}: ${asText(cause)}`
  return new TrimtabError('unreadable_message', message, { index, cause })
}
