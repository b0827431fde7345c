export type { FileSystem } from './file-system.js'
export type { FileInfo } from './files.js'
export { Reads, type SavedReads } from './reads.js'
export {
  createWorkspace,
  type ReadFile,
  type Workspace,
  type WorkspaceOptions,
  type WriteOptions,
  type WrittenFile,
} from './workspace.js'
