import type { NeutralHistory } from '../history/read-messages.js'

/** The text of a message that a later step can rely on, with blocks joined by line feeds. */
export function messageText(history: NeutralHistory, message: number): string {
  const blocks = history.messages[message]?.blocks ?? []
  const texts = blocks.flatMap((block) => {
    const text = history.textOf(block)
    if (block.kind === 'tool-call') return [block.takesText ? text : plainJson(text)]
    if (block.kind !== 'tool-result') return [text]
    return [text, unnumbered(text), ...(/^\s*[[{]/.test(text) ? [plainJson(text)] : [])]
  })
  return texts.map((text) => (text === '' ? '' : `${text}\n`)).join('')
}

/** JSON with line ends, tabs and quotes unescaped. */
function plainJson(json: string): string {
  return json.replace(/\\([nt"])/g, (_, letter: string) => PLAIN[letter] ?? letter)
}

const PLAIN: Record<string, string> = { n: '\n', t: '\t', '"': '"' }

const LINE_NUMBER = /^ *\d+(?:→|\t|: |\| ?)/

/** The text of a numbered read without its line numbers, as edits quote it; empty for any other text. */
function unnumbered(text: string): string {
  const lines = text.split('\n')
  const numbered = lines.filter((line) => LINE_NUMBER.test(line)).length
  // A digest has a few lines before the first number, and gaps.
  if (numbered * 2 < lines.length) return ''
  return text.replace(new RegExp(LINE_NUMBER, 'gm'), '')
}
