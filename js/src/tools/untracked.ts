import type { ReadFile, Workspace } from '../workspace/workspace.js'

/** Reads a file that the model is not shown: it counts as read no more and no less than before. */
export async function readUntracked(
  workspace: Workspace,
  path: string,
): Promise<ReadFile & { known?: string }> {
  const real = (await workspace.stat(path))?.path ?? path
  const known = workspace.reads.digest(real)
  const file = await workspace.readFile(path)
  restore(workspace, file.path, known)
  return known === undefined ? file : { ...file, known }
}

/** Puts back what was known of a file. */
export function restore(workspace: Workspace, path: string, known: string | undefined): void {
  if (known === undefined) workspace.reads.delete(path)
  else workspace.reads.set(path, known)
}
