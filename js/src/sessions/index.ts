export { loadSession } from './load.js'
export { migrateSession } from './migrate.js'
export { saveSession } from './save.js'
export { type FileStoreOptions, fileStore } from './stores/file.js'
export type { SessionFileSystem } from './stores/file-commit.js'
export { type IndexedDbStoreOptions, indexedDbStore } from './stores/indexed-db.js'
export { memoryStore } from './stores/memory.js'
export type {
  MissingParts,
  ReplaceOptions,
  SessionStore,
  Stored,
  StoredSession,
  StoreRepair,
} from './stores/store.js'
export { type KeyValueStorage, type UnstorageStoreOptions, unstorageStore } from './stores/unstorage.js'
export type { LoadedSession, SavedSession, SaveResult } from './types.js'
