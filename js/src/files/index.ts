export type { TextCounter } from '../base/text-counter.js'
export type {
  Candidate,
  ClippedLine,
  Difference,
  EditRefusal,
  EditSummary,
  FileRead,
  LineEnding,
  LineRange,
  ReadErrorType,
  ReadFailure,
  ReadLimits,
  ReadOptions,
  ReadPurpose,
  ReadResult,
  ReadSuccess,
  RefusalCode,
  ShownLines,
  TextEncoding,
} from '../generated/types.js'
export type { ReadBytes, ReadContent } from './content-source.js'
export type { AddOptions, EditFileOptions, EditResult, FileContent, UpdateSectionOptions } from './edit.js'
export { appendToFile, editFile, prependToFile, updateSection } from './edit.js'
export type * from './format-read.js'
export { formatRead, formatReads, readTokenLimit } from './format-read.js'
