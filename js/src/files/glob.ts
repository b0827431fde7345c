import { globMatches, globProblem } from '../../../pkg/files.js'
import { TrimtabError } from '../base/error.js'
import { shortened } from '../base/text.js'
import { files } from '../engine/files.js'

/** A glob is matched with each path in turn, in time that grows with both. */
const MOST_UNITS = 1000
/** Characters of a glob in messages. */
const NAMED = 100

/** A glob for messages, cut if it is long. */
export const named = (glob: string): string => shortened(glob, NAMED, '...')

/**
 * Returns a function that tests whether a path matches a glob: `*` and `?` within a name, `**` across
 * folders, `{a,b}`, `[abc]`. A glob without a `/` is matched against the name only, in any folder, as in
 * `rg -g`.
 *
 * @throws `invalid_option` for a malformed glob, which would otherwise match nothing without notice.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const problem =
    glob.length > MOST_UNITS
      ? `it is longer than ${MOST_UNITS} characters`
      : files.enter(() => globProblem(glob))
  if (problem !== undefined)
    throw new TrimtabError(
      'invalid_option',
      `the glob ${JSON.stringify(named(glob))} is malformed: ${problem}`,
      {
        argument: 'glob',
      },
    )
  return (path) => files.enter(() => globMatches(glob, path))
}

/**
 * The matcher of a glob that a model passed; without a glob everything matches. For a malformed glob, the
 * error text.
 */
export function askedGlob(glob: string | undefined): ((path: string) => boolean) | string {
  return glob === undefined ? () => true : unlessInvalid(() => globMatcher(glob))
}

/** Returns what `make` makes of a pattern that a model passed, or the reason why the pattern is invalid. */
export function unlessInvalid<T>(make: () => T): T | string {
  try {
    return make()
  } catch (error) {
    if (error instanceof TrimtabError && error.code === 'invalid_option') return error.message
    throw error
  }
}
