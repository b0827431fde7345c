import type { Conversation } from '../adapters/conversation.js'

/**
 * Returns the histories of the conversations that a tool's messages belong to, the most recently used one last.
 *
 * The SDK gives a tool its own `ModelMessage`s. A view may have been made of other forms of them: of `UIMessage`s, or
 * of a prompt, in which the SDK has converted files. Texts, ids of calls and outputs that are texts are the same in all
 * forms. A conversation that shares fewer with the messages than it has besides is not searched.
 */
export function alikeTo(messages: readonly object[], known: readonly Conversation[]): (readonly object[])[] {
  const marks = marksOf(messages)
  // Behind the middleware, a tool sees the unedited messages; after `view`, what was sent.
  const scores = known.map(({ history, view }) =>
    Math.max(scoreOf(marksOf(history), marks), scoreOf(marksOf(view), marks)),
  )
  const best = Math.max(1, ...scores)
  return known.flatMap(({ history }, i) => (scores[i] === best ? [history] : []))
}

/** Number of the marks that are among others, less the number of those that are not. */
const scoreOf = (marks: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...marks].reduce((score, mark) => score + (others.has(mark) ? 1 : -1), 0)

/** The used fields of a message of any form. */
interface Message {
  content?: string | readonly Part[] | null
  parts?: string | readonly Part[] | null
}

interface Part {
  text?: unknown
  toolCallId?: unknown
  output?: unknown
}

/** What messages have in all forms. */
function marksOf(messages: readonly Message[]): Set<string> {
  const marks = messages.flatMap(({ content, parts = content }) =>
    Array.isArray(parts) ? parts.flatMap(marksOfPart) : [parts],
  )
  return new Set(marks.filter((mark) => typeof mark === 'string'))
}

function marksOfPart(part: Part | null | undefined): unknown[] {
  const { text, toolCallId, output } = part ?? {}
  return [text, toolCallId, (output as { value?: unknown } | null | undefined)?.value ?? output]
}
