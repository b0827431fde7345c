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
  '[ -/]+[0-~]',
  // Others are of one character. The first characters of longer ones are left: without an end they are no sequences.
  '[0-OQ-WYZ\\\\`-~]',
].join('|')

/** Begins a sequence of the second kind in one character. */
const ONE_CHARACTER = '\\u009b[0-?]*[ -/]*[@-~]'

const ALL = new RegExp(`${ESCAPE}(?:${SEQUENCES})|${ONE_CHARACTER}`, 'g')
const ALL_BUT_COLORS = new RegExp(`${ESCAPE}(?!${COLORS})(?:${SEQUENCES})|${ONE_CHARACTER}`, 'g')

/** Removes all escape sequences of terminals. */
export const withoutSequences = (output: string): string => output.replace(ALL, '')

/** Removes escape sequences of terminals other than colours. */
export const withColorsOnly = (output: string): string => output.replace(ALL_BUT_COLORS, '')

/** Control characters, which have no glyph, except tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Returns a text as it can be read: without escape sequences and control characters, other than tab and line feed. */
export const readable = (text: string): string =>
  withoutSequences(text).replace(/\r\n?/g, '\n').replace(CONTROLS, '')
