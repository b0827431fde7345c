import { type FileSystem, ifThere } from '../../workspace/file-system.js'
import { encodeId } from './id.js'

/** Ending of session files. */
export const ENDING = '.jsonl'

/** Location of a session's file. */
export interface SessionPlace {
  id: string
  folder: string
  /** The file's name without its ending; temporary files have it in theirs. */
  name: string
  path: string
}

export function placeOf(folder: string, id: string): SessionPlace {
  const name = encodeId(id)
  return { id, folder, name, path: `${folder}/${name}${ENDING}` }
}

/**
 * Where a session's file really is. It may be a link: a rename would replace that, and leave the file with what was
 * erased. Whoever uses another name of the file must find the same temporary files.
 */
export async function realPlace(
  fs: Pick<FileSystem, 'realpath'>,
  place: SessionPlace,
): Promise<SessionPlace> {
  // A link that leads to nothing has no other place.
  const path = (await ifThere(fs.realpath(place.path))) ?? place.path
  if (path === place.path) return place
  // Elsewhere than on Windows, a backslash is a part of a name.
  const at = Math.max(path.lastIndexOf('/'), path.startsWith('/') ? 0 : path.lastIndexOf('\\'))
  const file = path.slice(at + 1)
  const name = file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : file
  return { id: place.id, folder: path.slice(0, at) || '/', name, path }
}
