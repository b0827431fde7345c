import { core } from '../engine/core.js'
import { coreBase64 } from '../engine/core-bytes.js'
import { files } from '../engine/files.js'
import { filesBase64 } from '../engine/files-bytes.js'
import { fromBase64 } from '../engine/module.js'

// Decoded and compiled when they are first needed: importing costs nothing.
core.provideBytes(() => fromBase64(coreBase64))
files.provideBytes(() => fromBase64(filesBase64))

export type { NotIndexed, ReadIndex } from '../reading/read-index.js'
export { changelog, compressEdits, type FileEdit, fileEdits } from './edits.js'
export { type FileState, fileStateAt, fileStates, type KnownLines, type Moment } from './file-state.js'
export { type IndexedRead, indexReads } from './index-reads.js'
