import { asRecord, asString } from '../base/json.js'
import { pushTo } from '../base/lists.js'
import { normalPath } from './normal-path.js'
import type { Event, ToolUse } from './tool-uses.js'

const isAbsolute = (path: string) => /^(?:\/|[a-z]:[\\/])/i.test(path)

/** Returns the files that a call names: one, a list, or those of a patch. */
export function namedFiles({ args, path }: Pick<ToolUse, 'args' | 'path'>): string[] {
  const first = path === null ? [] : [path]
  if (typeof args === 'string') return [...first, ...patched(args)]
  const lists = [args.file_paths, args.paths, args.files].find(Array.isArray) ?? []
  const listed = (lists as unknown[]).flatMap(
    (entry) => asString(entry) ?? asString(asRecord(entry)?.path) ?? [],
  )
  const patches = [args.input, args.patch].flatMap((text) => (typeof text === 'string' ? patched(text) : []))
  return [...new Set([...first, ...listed.map(normalPath), ...patches])]
}

function patched(patch: string): string[] {
  return [...patch.matchAll(/^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.*)$/gm)].map(([, path]) =>
    normalPath(path ?? ''),
  )
}

/**
 * All spellings of the paths in a history. A relative and an absolute path name the same file if the relative one is
 * the end of that absolute path, and of no other.
 */
export class PathAliases {
  /** Absolute paths that end with each relative path, at most two. */
  readonly #absolute = new Map<string, string[]>()
  /** Relative paths of each absolute path. */
  readonly #relative = new Map<string, string[]>()

  constructor(events: readonly Event[]) {
    const all = new Set(events.flatMap((event) => (event.kind === 'use' ? namedFiles(event) : [])))
    for (const name of all) if (isAbsolute(name)) this.#addEnds(name)
    for (const name of all) {
      const absolute = isAbsolute(name) ? undefined : this.#absoluteOf(name)
      if (absolute !== undefined) pushTo(this.#relative, absolute, name)
    }
  }

  #addEnds(absolute: string): void {
    for (let at = absolute.indexOf('/'); at !== -1; at = absolute.indexOf('/', at + 1)) {
      const end = absolute.slice(at + 1)
      if ((this.#absolute.get(end)?.length ?? 0) < 2) pushTo(this.#absolute, end, absolute)
    }
  }

  #absoluteOf(relative: string): string | undefined {
    const found = this.#absolute.get(relative) ?? []
    return found.length === 1 ? found[0] : undefined
  }

  /** Returns the normalised path, and all other paths of the same file. */
  of(path: string): Set<string> {
    const own = normalPath(path)
    const absolute = isAbsolute(own) ? own : this.#absoluteOf(own)
    if (absolute === undefined) return new Set([own])
    const relative = this.#relative.get(absolute) ?? []
    return new Set([own, absolute, ...relative])
  }
}
