import { asRecord, asString } from '../base/json.js'
import type { Event, ToolUse } from './tool-uses.js'

/** A path as the engine writes it: without `./` in front and doubled slashes. */
export function normalPath(path: string): string {
  return path
    .trim()
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
}

const isAbsolute = (path: string) => /^(?:\/|[a-z]:[\\/])/i.test(path)

/** The files that a call names: one, a list of them, or those of a patch. */
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
  return [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.*)$/gm)].map(([, path]) =>
    normalPath(path ?? ''),
  )
}

/**
 * All spellings of a path in a history. A relative and an absolute path are of one file where the one is the end of the
 * other, and of no second one.
 */
export function aliasesOf(path: string, events: readonly Event[]): Set<string> {
  const own = normalPath(path)
  const all = new Set(events.flatMap((event) => (event.kind === 'use' ? namedFiles(event) : [])))
  const absolute = isAbsolute(own)
    ? own
    : only([...all].filter((name) => isAbsolute(name) && name.endsWith(`/${own}`)))
  if (absolute === undefined) return new Set([own])
  const relative = [...all].filter((name) => {
    if (isAbsolute(name) || !absolute.endsWith(`/${name}`)) return false
    return [...all].filter((other) => isAbsolute(other) && other.endsWith(`/${name}`)).length === 1
  })
  return new Set([own, absolute, ...relative])
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined
}
