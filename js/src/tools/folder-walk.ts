import type { FileInfo } from '../workspace/files.js'
import type { Workspace } from '../workspace/workspace.js'

/** Folders that hold what nobody wrote by hand: walked through only when they are named. */
export const IGNORED_FOLDERS: readonly string[] = ['.git', 'node_modules']

/**
 * What is below a folder, folders before what is in them, by path. Links to folders are not followed: {@link FileInfo}
 * has them as `other`.
 */
export async function* walkFolder(
  workspace: Workspace,
  folder: string,
  ignore: readonly string[],
): AsyncGenerator<FileInfo> {
  for (const entry of await workspace.list(folder)) {
    const isIgnored = entry.kind === 'folder' && ignore.includes(entry.path.split('/').at(-1) as string)
    if (isIgnored) continue
    yield entry
    if (entry.kind === 'folder') yield* walkFolder(workspace, entry.path, ignore)
  }
}
