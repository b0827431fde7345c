import { SUMMARY_SECTIONS } from './prompt.js'

/** `## 2. Current State` of a summary, with or without the number. */
const HEADING = new RegExp(`^#+ *(?:\\d+\\. *)?(${SUMMARY_SECTIONS.join('|')})[ :]*$`)
/** Lines of a mechanical summary that say nothing about the conversation, or only about its own part. */
const OWN_LINE =
  /^(?:Nothing\.|This summary was made without a model\..*|\(\d+ (?:earlier ones|others) left out\))$/

/**
 * Returns what a summary says in each of {@link SUMMARY_SECTIONS}, by item: a line that begins with `- ` with those
 * that belong to it, or a paragraph. What is in none of them is taken for the overview.
 */
export function earlierSummary(summary: string): string[][] {
  const sections: string[][] = SUMMARY_SECTIONS.map(() => [])
  let at = 0
  for (const line of summary.split('\n')) {
    const heading = HEADING.exec(line)?.[1]
    if (heading === undefined) sections[at]?.push(line)
    else at = (SUMMARY_SECTIONS as readonly string[]).indexOf(heading)
  }
  return sections.map(itemsOf)
}

function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = []
  let isOpen = false
  for (const line of lines) {
    const isText = line.trim() !== '' && !OWN_LINE.test(line)
    if (isText && isOpen && !line.startsWith('- ')) items.push(`${items.pop()}\n${line}`)
    else if (isText) items.push(line)
    isOpen = isText
  }
  return items
}
