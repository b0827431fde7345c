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
 * All spellings of the paths in a history. A relative and an absolute path probably name the same file if the relative one
 * is the end of that absolute path, and of no other, and no other relative path is: the directory that it starts from is
 * not known.
 */
export class PathAliases {
  /** Absolute paths that end with each relative path, at most two. */
  readonly #absolute = new Map<string, string[]>()
  /** Relative paths that are the end of each absolute path and of no other. */
  readonly #relative = new Map<string, string[]>()
  readonly #all: ReadonlySet<string>

  constructor(events: readonly Event[]) {
    this.#all = new Set(events.flatMap((event) => (event.kind === 'use' ? namedFiles(event) : [])))
    for (const name of this.#all) if (isAbsolute(name)) this.#addEnds(name)
    for (const name of this.#all) {
      const [absolute, ...others] = isAbsolute(name) ? [] : this.#absolutesOf(name)
      if (absolute !== undefined && others.length === 0) pushTo(this.#relative, absolute, name)
    }
  }

  #addEnds(absolute: string): void {
    for (const end of endsOf(absolute))
      if (this.#absolutesOf(end).length < 2) pushTo(this.#absolute, end, absolute)
  }

  #absolutesOf(relative: string): readonly string[] {
    return this.#absolute.get(relative) ?? []
  }

  #relativesOf(absolute: string): readonly string[] {
    return this.#relative.get(absolute) ?? []
  }

  /** Whether a path may be another spelling of one that is taken for another file. */
  isAmbiguous(name: string): boolean {
    if (isAbsolute(name)) return endsOf(name).some((end) => this.#all.has(end) && this.isAmbiguous(end))
    const [absolute, ...others] = this.#absolutesOf(name)
    return others.length > 0 || (absolute !== undefined && this.#relativesOf(absolute).length > 1)
  }

  /** Returns the normalised path, and behind it the other path that probably names the same file. */
  of(path: string): Set<string> {
    const own = normalPath(path)
    const others = isAbsolute(own) ? this.#relativesOf(own) : this.#absolutesOf(own)
    if (others.length !== 1 || this.isAmbiguous(own)) return new Set([own])
    // A path that the history does not use can only mean the one that it uses.
    return this.#all.has(own) ? new Set([own, ...others]) : new Set([...others, own])
  }
}

/** Returns the relative paths that an absolute path ends with. */
function endsOf(absolute: string): string[] {
  const ends: string[] = []
  for (let at = absolute.indexOf('/'); at !== -1; at = absolute.indexOf('/', at + 1))
    ends.push(absolute.slice(at + 1))
  return ends
}
