export { createIndex, type FileIndex } from './file-index.js'
export {
  createReadDigests,
  type DigestedRead,
  type DigestedView,
  type ReadDigests,
  type ReadDigestsOptions,
  type SavedDigests,
} from './read-digests.js'
export type * from './types.js'
