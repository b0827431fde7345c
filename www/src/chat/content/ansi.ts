import Anser from 'anser'

/** A span of terminal output in one style, as class names. */
export interface AnsiSpan {
  readonly text: string
  readonly classes: string
}

const ESCAPE = '\u001b'
/** Escape sequences other than colours: titles, links, cursor moves. */
const OTHER_SEQUENCES = new RegExp(
  `${ESCAPE}(?:\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)?|\\[[0-9;?]*[A-HJKSTfhlnsu]|[PX^_][^${ESCAPE}]*${ESCAPE}\\\\|[()][A-Z0-9]|[78=>])`,
  'g',
)
/** Control characters without a glyph, except tab, line feed and the escape of colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/g

/** Converts terminal output to spans. Removes text that a carriage return overwrote, as a terminal does not show it. */
export function ansiSpans(output: string): AnsiSpan[] {
  const plain = output
    .replace(OTHER_SEQUENCES, '')
    .replace(/\r\n/g, '\n')
    .replace(/[^\n]*\r/g, '')
    .replace(CONTROLS, '')
  return Anser.ansiToJson(plain, { use_classes: true, remove_empty: true }).map((part) => ({
    text: part.content.replaceAll(ESCAPE, ''),
    classes: [part.fg, part.bg && `on-${part.bg}`, ...part.decorations]
      .filter((name) => typeof name === 'string' && /^[\w-]+$/.test(name))
      .join(' '),
  }))
}
