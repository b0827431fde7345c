export const ESCAPE = '\u001b'

/** Colours, which Anser reads. */
const COLORS = `\\[[0-9;]*m`

/**
 * Escape sequences: titles, links, cursor moves, modes, character sets. A title or link without an end ends with its
 * line, so that it hides no output.
 */
const SEQUENCES = [
  `\\][^\\u0007${ESCAPE}\\n]*(?:\\u0007|${ESCAPE}\\\\)?`,
  '\\[[0-?]*[ -/]*[@-~]',
  `[PX^_][^${ESCAPE}]*${ESCAPE}\\\\`,
  '[()][A-Z0-9]',
  '[78=>]',
].join('|')

const ALL = new RegExp(`${ESCAPE}(?:${SEQUENCES})`, 'g')
const ALL_BUT_COLORS = new RegExp(`${ESCAPE}(?!${COLORS})(?:${SEQUENCES})`, 'g')

/** Removes all escape sequences of terminals. */
export const withoutSequences = (output: string): string => output.replace(ALL, '')

/** Removes escape sequences of terminals other than colours. */
export const withColorsOnly = (output: string): string => output.replace(ALL_BUT_COLORS, '')
