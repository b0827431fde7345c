import { TrimtabError } from '../base/error.js'
import { failureOf } from './file-system.js'

/** What is there after a write that failed. */
export interface WriteState {
  /** Whether the new content is; `undefined` where that cannot be known. */
  isWritten: boolean | undefined
  /** What follows from it, for a message. */
  note?: string | undefined
  /** A temporary file that could not be removed. */
  leftover?: string | undefined
}

/** A write that failed, and what is there all the same. */
export class WriteFailure extends Error {
  /** Node's name for what failed: see {@link failureOf}. */
  readonly code: string
  readonly isWritten: boolean | undefined
  readonly note: string | undefined
  readonly leftover: string | undefined

  constructor(cause: unknown, { isWritten, note, leftover }: WriteState) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const stays = leftover === undefined ? [] : [`the temporary file ${leftover} could not be removed`]
    super([reason, ...(note === undefined ? [] : [note]), ...stays].join('; '), { cause })
    this.code = failureOf(cause)
    this.isWritten = isWritten
    this.note = note
    this.leftover = leftover
  }
}

/** What a `TrimtabError` says of a write. */
export interface WriteDetails {
  isWritten?: boolean
  leftover?: string
  cause?: unknown
}

/** What the error of a write says; of any but a {@link WriteFailure}, that nothing was written. */
export function writeDetails(cause: unknown): WriteDetails {
  if (!(cause instanceof WriteFailure)) return { isWritten: false, cause }
  const { isWritten, leftover } = cause
  return {
    ...(isWritten !== undefined && { isWritten }),
    ...(leftover !== undefined && { leftover }),
    cause: cause.cause,
  }
}

/**
 * Does what a file system or a store may refuse, and tells it with `told`, as far as it is not told already. `detailsOf`
 * is {@link writeDetails} for a write.
 */
export async function guarded<T>(
  work: () => Promise<T>,
  told: (error: unknown, details: WriteDetails) => TrimtabError,
  detailsOf: (error: unknown) => WriteDetails = (cause) => ({ cause }),
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof TrimtabError ? error : told(error, detailsOf(error))
  }
}
