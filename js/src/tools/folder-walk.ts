import { TrimtabError } from '../base/error.js'
import { cut } from '../base/text.js'
import { utf8Length } from '../tokens/byte-estimate.js'
import type { FileInfo } from '../workspace/files.js'
import { escaped } from '../workspace/paths.js'
import type { Workspace } from '../workspace/workspace.js'

/** Folders of generated files: entered only if named explicitly. */
export const IGNORED_FOLDERS: readonly string[] = ['.git', 'node_modules']

/** What a walk passed over, because its path is refused or its content cannot be read. */
export class Unreadable {
  readonly #paths: string[] = []
  #reason = ''

  /**
   * Runs `work` on an entry of a walk. Returns `undefined` if it failed: one entry must not end a walk. An entry that is
   * gone meanwhile is not recorded.
   */
  async try<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof TrimtabError)) throw error
      if (error.code === 'not_found' && error.argument === 'path') return undefined
      if (this.#paths.length === 0) this.#reason = endOf(escaped(error.message))
      this.#paths.push(path)
      return undefined
    }
  }

  /** Returns a note with the entries and the reason for the first; nothing if there are none. */
  note(what: string): string[] {
    return this.#paths.length === 0 ? [] : [`[${what}: ${named(this.#paths)}; ${this.#reason}]`]
  }
}

/** Maximum UTF-16 units of a reason. */
const MOST_REASON = 200

/** Returns the end of a message: a path of any length is at its start. */
function endOf(message: string): string {
  if (message.length <= MOST_REASON) return message
  return `…${message.slice(-MOST_REASON).replace(/^\p{Surrogate}/u, '')}`
}

/**
 * Yields everything below a folder by path, each folder before its content. Links to folders are not followed:
 * {@link FileInfo} lists them as `other`. A folder in it that cannot be listed is added to `unreadable`.
 */
export async function* walkFolder(
  workspace: Workspace,
  folder: string,
  ignore: readonly string[],
  unreadable: Unreadable,
): AsyncGenerator<FileInfo> {
  yield* below(await workspace.list(folder))

  async function* below(entries: readonly FileInfo[]): AsyncGenerator<FileInfo> {
    for (const entry of entries) {
      const isFolder = entry.kind === 'folder'
      if (isFolder && ignore.includes(entry.path.split('/').at(-1) as string)) continue
      yield entry
      if (!isFolder) continue
      const inside = await unreadable.try(entry.path, () => workspace.list(entry.path))
      if (inside !== undefined) yield* below(inside)
    }
  }
}

/** Maximum UTF-8 bytes of the names in a note. */
const MOST_NAMES = 800

/** Lists paths for a note: the first that fit, and the number of the others. */
export function named(paths: readonly string[]): string {
  const few: string[] = []
  let bytesLeft = MOST_NAMES
  for (const path of paths) {
    const name = cut(escaped(path), 200)
    bytesLeft -= utf8Length(name)
    if (few.length > 0 && (few.length === 10 || bytesLeft < 0)) break
    few.push(name)
  }
  const others = paths.length - few.length
  return few.join(', ') + (others > 0 ? ` and ${others} more` : '')
}
