import { globMatches, globProblem } from '../../../pkg/files.js'
import { TrimtabError } from '../base/error.js'
import { files } from '../engine/files.js'

/**
 * Whether a path matches a glob: `*` and `?` within a name, `**` across folders, `{a,b}`, `[abc]`. A glob without a `/`
 * is about the name alone, wherever the file is, as in `rg -g`.
 *
 * @throws `invalid_option` for one that is malformed, which would match nothing in silence.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const problem = files.enter(() => globProblem(glob))
  if (problem !== undefined)
    throw new TrimtabError('invalid_option', `the glob ${JSON.stringify(glob)} is malformed: ${problem}`, {
      argument: 'glob',
    })
  return (path) => files.enter(() => globMatches(glob, path))
}

/** The matcher of a glob that a model gave; without one everything is meant. What is wrong with it, in words, where it is malformed. */
export function askedGlob(glob: string | undefined): ((path: string) => boolean) | string {
  if (glob === undefined) return () => true
  try {
    return globMatcher(glob)
  } catch (error) {
    if (error instanceof TrimtabError && error.code === 'invalid_option') return error.message
    throw error
  }
}
