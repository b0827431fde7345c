import type { FileInfo } from '../workspace/files.js'
import type { Workspace } from '../workspace/workspace.js'

/** Folders of generated files: entered only if named explicitly. */
export const IGNORED_FOLDERS: readonly string[] = ['.git', 'node_modules']

/**
 * Yields everything below a folder by path, each folder before its content. Links to folders are not followed:
 * {@link FileInfo} lists them as `other`.
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
