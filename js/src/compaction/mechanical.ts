import { editsIn } from '../timeline/edits.js'
import type { Event } from '../timeline/tool-uses.js'
import type { DroppedMessages } from './cut.js'
import { earlierSummary } from './earlier-summary.js'
import { clipped, SUMMARY_SECTIONS } from './prompt.js'
import { summaryIn } from './summary-message.js'

/** Maximum items and characters of each kind: the summary must be shorter than what it replaces. */
const PROMPTS = 6
const PROMPT_LENGTH = 600
const LINES = 25
const FAILURES = 5
const LAST_WORDS = 1500

/**
 * Summarises dropped messages without a model, from quotes of the history alone. What an earlier summary among them has
 * goes on in the section it is in.
 */
export function mechanicalSummary(
  events: readonly Event[],
  dropped: DroppedMessages,
  lastWords: string,
): string {
  const own = new Set(dropped.indices)
  const inside = events.filter((event) => own.has(event.message))
  const earlier = SUMMARY_SECTIONS.map((): string[] => [])
  const prompts: string[] = []
  for (const event of inside) {
    if (event.kind !== 'prompt' || event.text.trim() === '') continue
    const summary = summaryIn(event.text)
    if (summary === undefined) prompts.push(`- ${event.text.trim()}`)
    else for (const [i, items] of earlierSummary(summary).entries()) earlier[i]?.push(...items)
  }
  const uses = inside.filter((event) => event.kind === 'use')
  const edits = editsIn(events).filter(({ message }) => own.has(message))
  const failures = uses.flatMap(({ path, result, tool }) =>
    result?.isError ? [`- ${tool}${path === null ? '' : ` ${path}`}: ${firstLine(result.text)}`] : [],
  )
  const reads = new Set(
    uses.flatMap(({ origin, path }) => (origin === 'read' && path !== null ? [path] : [])),
  )
  const [overview = [], state = [], discoveries = [], steps = [], context = []] = earlier
  const sections: string[][] = [
    ends([...overview, ...prompts], PROMPTS).map((text) => clipped(text, PROMPT_LENGTH)),
    [
      ...newest(
        unique([...state, ...edits.map(({ intent, path, what }) => `- ${path}: ${intent ?? what}`)]),
        LINES,
      ),
      ...(reads.size === 0 ? [] : [`- Files read: ${newest([...reads], LINES).join(', ')}`]),
    ],
    newest(unique([...discoveries, ...failures]), FAILURES),
    lastWords === ''
      ? newest(steps, 1)
      : [`The assistant's last words of that part: ${clipped(lastWords, LAST_WORDS)}`],
    [
      ...ends(context, PROMPTS),
      `This summary was made without a model. Dropped: ${dropped.indices.length} messages with ${uses.length} tool calls, about ${dropped.tokens} tokens. What is not named here is not known here: read files again before changing them.`,
    ],
  ].map((lines) => lines.map((line) => clipped(line, LAST_WORDS + 100)))
  return sections
    .map(
      (lines, i) =>
        `## ${i + 1}. ${SUMMARY_SECTIONS[i]}\n${lines.length === 0 ? 'Nothing.' : lines.join('\n')}`,
    )
    .join('\n\n')
}

const unique = (lines: readonly string[]) => [...new Set(lines)]

function newest(items: readonly string[], count: number): string[] {
  if (items.length <= count) return [...items]
  return [`(${items.length - count} earlier ones left out)`, ...items.slice(-count)]
}

/** Keeps the first item, which usually states the task, and the last ones. */
function ends(items: readonly string[], count: number): string[] {
  if (items.length <= count) return [...items]
  return [items[0] as string, `(${items.length - count} others left out)`, ...items.slice(1 - count)]
}

function firstLine(text: string): string {
  return clipped(text.trim().split('\n')[0] as string, 200)
}
