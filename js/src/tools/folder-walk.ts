import { TrimtabError } from '../base/error.js'
import { cut, utf8Length } from '../base/text.js'
import type { FileInfo } from '../workspace/files.js'
import { escaped, isMisnamed, refusedName } from '../workspace/paths.js'
import type { Workspace } from '../workspace/workspace.js'
import { wordsOf } from './failure-words.js'

/** Folders of generated files: entered only if named explicitly. */
export const IGNORED_FOLDERS: readonly string[] = ['.git', 'node_modules']

/** Says which folders are ignored, for the description of a parameter. */
export const exceptFor = (ignore: readonly string[]) =>
  ignore.length === 0 ? '' : ` Without what is in folders named ${ignore.join(' or ')} below it.`

/** What a walk passed over: ignored folders, and what has a refused path or cannot be read. */
export class PassedOver {
  readonly #ignored: string[] = []
  readonly #paths: string[] = []
  #reason = ''

  /** Records a folder that is not entered. */
  ignore(folder: string): void {
    this.#ignored.push(folder)
  }

  /** Returns a note with the ignored folders; nothing if there are none. */
  ignoredNote(): string[] {
    return this.#ignored.length === 0
      ? []
      : [`[Not entered: ${named(this.#ignored)}. To look into one, name it as path]`]
  }

  /** Runs `work` on an entry of a walk, and records the entry if that fails: one entry must not end a walk. */
  async try(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof TrimtabError)) throw error
      this.add(path, error)
    }
  }

  /** Records an entry that failed, unless it is gone. */
  add(path: string, error: TrimtabError): void {
    if (error.code === 'not_found' && error.argument === 'path') return
    if (this.#paths.length === 0) this.#reason = endOf(escaped(wordsOf(error)))
    this.#paths.push(path)
  }

  /** Returns a note with what failed and the reason for the first; nothing if nothing did. */
  failureNote(what: string): string[] {
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

/** Yields everything below a folder but ignored folders. */
export async function* walkFolder(
  workspace: Workspace,
  folder: string,
  ignore: readonly string[],
  passedOver: PassedOver,
): AsyncGenerator<FileInfo> {
  const isWanted = ({ kind, path }: FileInfo) =>
    kind !== 'folder' || !ignore.includes(path.slice(path.lastIndexOf('/') + 1))
  const onError = ({ path }: FileInfo, error: TrimtabError) => passedOver.add(path, error)
  for await (const entry of workspace.walk(folder, { enters: isWanted, onError })) {
    // It may be a folder.
    if (entry.kind === 'other' && isMisnamed(entry.path)) passedOver.add(entry.path, refusedName(entry.path))
    if (isWanted(entry)) yield entry
    else passedOver.ignore(entry.path)
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
