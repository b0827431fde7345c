import { globMatches } from '../../../pkg/files.js'
import { files } from '../engine/files.js'

/**
 * Whether a path matches a glob: `*` and `?` within a name, `**` across folders, `{a,b}`, `[abc]`. A glob without a `/`
 * is about the name alone, wherever the file is, as in `rg -g`. One that is malformed matches nothing.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  return (path) => files.enter(() => globMatches(glob, path))
}
