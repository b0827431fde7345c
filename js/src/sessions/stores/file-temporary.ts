import { removeTemporary, temporaryIn } from '../../workspace/atomic-write.js'
import { type FileSystem, ifThere } from '../../workspace/file-system.js'
import { TEMPORARY } from '../../workspace/paths.js'

/** The folder of a session's files, and the session's name in theirs. */
interface Folder {
  folder: string
  name: string
}

/** Path of a session's file of this generation until it replaces the one before. */
export const nextFile = ({ folder, name }: Folder, generation: string): string =>
  temporaryIn(folder, `${name}.${generation}`)

/**
 * Paths of all temporary files of a session, of writers that are writing and of those that were killed. None if the
 * folder may not be listed.
 */
export async function temporaryFiles(fs: FileSystem, { folder, name }: Folder): Promise<string[]> {
  const names = (await ifThere(fs.readdir(folder), ['ENOENT', 'EACCES', 'EPERM'])) ?? []
  const start = `.${name}.`
  const isOfSession = (file: string) =>
    file.startsWith(start) &&
    file.endsWith(TEMPORARY) &&
    /^[0-9a-f]{16}$/.test(file.slice(start.length, -TEMPORARY.length))
  return names.filter(isOfSession).map((file) => `${folder}/${file}`)
}

/** Removes files. Returns the path of one that could not be removed. */
export async function removeFiles(fs: FileSystem, paths: readonly string[]): Promise<string | undefined> {
  let leftover: string | undefined
  for (const path of paths) leftover = (await removeTemporary(fs, path)) ?? leftover
  return leftover
}
