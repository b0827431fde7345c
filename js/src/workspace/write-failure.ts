import { askable, reasonOf, TrimtabError } from '../base/error.js'
import { failureOf } from './file-system.js'

/** State after a failed write. */
export interface WriteState {
  /** Whether the new content is in place; `undefined` if unknown. */
  isWritten: boolean | undefined
  /** Consequence, for the error message. */
  note?: string | undefined
  /** Path of a temporary file that could not be removed. */
  leftover?: string | undefined
}

/** A failed write, and the state it left. */
export class WriteFailure extends Error {
  /** Node's error code: see {@link failureOf}. */
  readonly code: string
  readonly isWritten: boolean | undefined
  readonly note: string | undefined
  readonly leftover: string | undefined

  constructor(cause: unknown, { isWritten, note, leftover }: WriteState) {
    const reason = reasonOf(cause)
    const stays = leftover === undefined ? [] : [`the temporary file ${leftover} could not be removed`]
    super([reason, ...(note === undefined ? [] : [note]), ...stays].join('; '), { cause })
    this.code = failureOf(cause)
    this.isWritten = isWritten
    this.note = note
    this.leftover = leftover
  }
}

/** Details of a write in a `TrimtabError`. */
export interface WriteDetails {
  isWritten?: boolean
  leftover?: string
  cause?: unknown
}

/** Returns the details of a write's error. Any error except a {@link WriteFailure} means that nothing was written. */
export function writeDetails(cause: unknown): WriteDetails {
  if (!(cause instanceof WriteFailure)) return { isWritten: false, cause }
  const { isWritten, leftover } = cause
  return {
    ...(isWritten !== undefined && { isWritten }),
    ...(leftover !== undefined && { leftover }),
    cause: cause.cause,
  }
}

/** Runs work that comes before a write: its errors say that nothing was written. */
export async function beforeWriting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TrimtabError) || error.isWritten !== undefined) throw error
    const { code, message, ...details } = error
    throw new TrimtabError(code, message, { ...details, cause: error.cause, isWritten: false })
  }
}

/**
 * Returns a function that runs work and converts its errors with `failed`, unless they are a `TrimtabError` already.
 *
 * @param failed Receives the subject of the work, and what could not be done with it.
 */
export function guardOf<S>(
  failed: (subject: S, what: string, error: unknown, details: WriteDetails) => TrimtabError,
) {
  /** @param detailsOf {@link writeDetails} for a write. */
  return async <T>(
    subject: S,
    what: string,
    work: () => Promise<T>,
    detailsOf: (error: unknown) => WriteDetails = (cause) => ({ cause }),
  ): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      const error = askable(cause)
      throw error instanceof TrimtabError ? error : failed(subject, what, error, detailsOf(error))
    }
  }
}
