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
export {
  type AddOptions,
  appendToFile,
  type EditFileOptions,
  type EditResult,
  editFile,
  type FileContent,
  prependToFile,
  type UpdateSectionOptions,
  updateSection,
} from './edit.js'
export {
  type FileToRead,
  type FormatReadOptions,
  type FormatReadsOptions,
  formatRead,
  formatReads,
  readTokenLimit,
} from './format-read.js'
