import Anser from 'anser'
import { ESCAPE, withColorsOnly } from './terminal.js'

/** A span of terminal output in one style, as class names. */
export interface AnsiSpan {
  readonly text: string
  readonly classes: string
}

/** Control characters without a glyph, except tab, line feed and the escape of colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g

/** Converts terminal output to spans. Removes text that a carriage return overwrote, as a terminal does not show it. */
export function ansiSpans(output: string): AnsiSpan[] {
  const plain = withColorsOnly(output)
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n')
    .replace(CONTROLS, '')
  return Anser.ansiToJson(plain, { use_classes: true, remove_empty: true }).map((part) => ({
    text: part.content.replaceAll(ESCAPE, ''),
    classes: [part.fg, part.bg && `on-${part.bg}`, ...part.decorations]
      .filter((name) => typeof name === 'string' && /^[\w-]+$/.test(name))
      .join(' '),
  }))
}

/** The lines of terminal output, each as its spans: a colour can begin on one line and end on another. */
export function ansiLines(output: string): AnsiSpan[][] {
  let line: AnsiSpan[] = []
  const lines = [line]
  for (const { text, classes } of ansiSpans(output)) {
    const [first = '', ...others] = text.split('\n')
    if (first !== '') line.push({ text: first, classes })
    for (const other of others) {
      line = other === '' ? [] : [{ text: other, classes }]
      lines.push(line)
    }
  }
  return lines
}

/** The spans of a line from a position on. */
export function spansFrom(line: readonly AnsiSpan[], start: number): AnsiSpan[] {
  let at = 0
  return line.flatMap(({ text, classes }) => {
    const rest = text.slice(Math.max(0, start - at))
    at += text.length
    return rest === '' ? [] : [{ text: rest, classes }]
  })
}
