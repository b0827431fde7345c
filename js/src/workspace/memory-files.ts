import { readable, refuseWith } from '../base/check.js'
import { isBytes } from '../base/content.js'
import { type FileInfo, type Files, pathOf } from './files.js'

const encoder = new TextEncoder()

/** Stores files in memory: for tests, and for agents that must not access a disk. */
export function memoryFiles(
  start: Readonly<Record<string, string | Uint8Array>>,
  parse: (path: string) => readonly string[],
): Files {
  const files = new Map<string, Uint8Array>()
  for (const [path, content] of readable('memory', () => Object.entries(start))) {
    if (typeof content !== 'string' && !isBytes(content)) {
      const message = `memory must map paths to texts or bytes, found ${typeof content} for ${JSON.stringify(path)}`
      refuseWith('memory', message)
    }
    files.set(pathOf(parse(path)), typeof content === 'string' ? encoder.encode(content) : content.slice())
  }
  const info = (path: string): FileInfo | undefined => {
    const file = files.get(path)
    if (file !== undefined) return { path, kind: 'file', size: file.length }
    const isFolder = path === '' || [...files.keys()].some((key) => key.startsWith(`${path}/`))
    return isFolder ? { path, kind: 'folder', size: 0 } : undefined
  }

  return {
    resolve: async (names) => names,
    stat: async (names) => info(pathOf(names)),
    read: async (names) => (files.get(pathOf(names)) ?? new Uint8Array()).slice(),
    write: async (names, bytes) => {
      const file = names.findIndex((_, i) => i > 0 && files.has(pathOf(names.slice(0, i))))
      if (file > 0) refuseWith('path', `${pathOf(names.slice(0, file))} is not a folder`, 'not_a_file')
      files.set(pathOf(names), bytes.slice())
    },
    list: async (names) => {
      const start = names.length === 0 ? '' : `${pathOf(names)}/`
      const below = [...files.keys()].filter((path) => path.startsWith(start))
      const children = new Set(
        below.map((path) => start + (path.slice(start.length).split('/')[0] as string)),
      )
      return [...children].map((path) => info(path) as FileInfo)
    },
    remove: async (names) => void files.delete(pathOf(names)),
  }
}
