export type { NotIndexed, ReadIndex } from '../reading/read-index.js'
export { changelog, compressEdits, type FileEdit, type FileEditsOptions, fileEdits } from './edits.js'
export {
  type FileState,
  type FileStateOptions,
  fileStateAt,
  fileStates,
  type KnownLines,
  type Moment,
} from './file-state.js'
export { type IndexedRead, indexReads } from './index-reads.js'
