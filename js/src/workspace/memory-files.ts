import { readable, refuseWith } from '../base/check.js'
import { isBytes } from '../base/content.js'
import { type FileInfo, type Files, type FolderEntry, pathOf } from './files.js'

const encoder = new TextEncoder()

/** What each folder holds, so that neither a file nor a folder is searched for among all paths. */
class Folders {
  readonly #children = new Map<string, Set<string>>()

  has(path: string): boolean {
    return path === '' || this.#children.has(path)
  }

  /** Paths directly below a folder. */
  below(path: string): Iterable<string> {
    return this.#children.get(path) ?? []
  }

  /** Adds a file to its folder, and new folders to theirs. */
  add(names: readonly string[]): void {
    for (let end = names.length; end > 0; end--) {
      const folder = pathOf(names.slice(0, end - 1))
      const known = this.#children.get(folder)
      const path = pathOf(names.slice(0, end))
      if (known !== undefined) {
        known.add(path)
        return
      }
      this.#children.set(folder, new Set([path]))
    }
  }

  /** Removes a file, and the folders that are empty without it. */
  remove(names: readonly string[]): void {
    for (let end = names.length; end > 0; end--) {
      const folder = pathOf(names.slice(0, end - 1))
      const known = this.#children.get(folder)
      known?.delete(pathOf(names.slice(0, end)))
      if (known === undefined || known.size > 0) return
      this.#children.delete(folder)
    }
  }
}

/** Stores files in memory: for tests, and for agents that must not access a disk. */
export function memoryFiles(
  start: Readonly<Record<string, string | Uint8Array>>,
  parse: (path: string) => readonly string[],
): Files {
  const files = new Map<string, Uint8Array>()
  const folders = new Folders()
  const put = (names: readonly string[], content: Uint8Array) => {
    const path = pathOf(names)
    if (!files.has(path)) folders.add(names)
    files.set(path, content)
  }
  for (const [path, content] of readable('memory', () => Object.entries(start))) {
    if (typeof content !== 'string' && !isBytes(content)) {
      const message = `memory must map paths to texts or bytes, found ${typeof content} for ${JSON.stringify(path)}`
      refuseWith('memory', message)
    }
    put(parse(path), typeof content === 'string' ? encoder.encode(content) : content.slice())
  }
  const info = (path: string): FileInfo | undefined => {
    const file = files.get(path)
    if (file !== undefined) return { path, kind: 'file', size: file.length }
    return folders.has(path) ? { path, kind: 'folder', size: 0 } : undefined
  }
  const list = async (folder: string): Promise<FolderEntry[]> =>
    Array.from(folders.below(folder), (path) => ({ info: info(path) as FileInfo, list: () => list(path) }))

  return {
    resolve: async (names) => names,
    stat: async (names) => info(pathOf(names)),
    read: async (names) => (files.get(pathOf(names)) ?? new Uint8Array()).slice(),
    write: async (names, bytes) => {
      const file = names.findIndex((_, i) => i > 0 && files.has(pathOf(names.slice(0, i))))
      if (file > 0) refuseWith('path', `${pathOf(names.slice(0, file))} is not a folder`, 'not_a_file')
      put(names, bytes.slice())
    },
    list: (names) => list(pathOf(names)),
    remove: async (names) => {
      if (files.delete(pathOf(names))) folders.remove(names)
    },
  }
}
