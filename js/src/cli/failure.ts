import { oneLine } from './text.js'

/** Input or usage error: printed as one line on stderr, exit code 2. */
export class Failure extends Error {}

export function failureLine(message: string): string {
  return `trimtab: ${oneLine(message)}\n`
}

/** Describes a system error on a file in words. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS.get(code) ?? (error instanceof Error ? error.message : String(error))
}

const REASONS = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EISDIR', 'this is a directory'],
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the file system is read-only'],
  ['ENXIO', 'this is a socket or a device, not a file'],
  ['ELOOP', 'too many symbolic links'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ERR_INVALID_ARG_VALUE', 'not a valid file name'],
  ['ERR_STRING_TOO_LONG', 'the file is larger than a string can be (512 MB)'],
])
