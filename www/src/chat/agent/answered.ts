import { type BlockFacts, type Format, readMessages } from 'trimtab'
import { toolResultMessages } from 'trimtab/tools'

const NEVER = 'Error: this call was interrupted before it had a result.'

/**
 * Adds a result after each message with calls that have none: providers refuse such a history. Calls lose their
 * results when the page is closed while they run, and in sessions that a user interrupted.
 *
 * @param messages In the format of a model: OpenAI's Chat Completions, Anthropic's or Gemini's.
 */
export function answered(messages: readonly object[], format: Format): object[] {
  const all: object[] = []
  const { messages: facts } = readMessages(messages, { format })
  let results: object[] = []
  messages.forEach((message, at) => {
    if (results.length > 0) all.push(...before(message, results))
    else all.push(message)
    const open = (facts[at]?.blocks ?? []).filter(
      ({ kind, isPaired, providerExecuted }) => kind === 'tool-call' && !isPaired && !providerExecuted,
    )
    results = open.length === 0 ? [] : interrupted(open, format)
  })
  return [...all, ...results]
}

const interrupted = (calls: readonly BlockFacts[], format: Format): object[] =>
  toolResultMessages(
    calls.map(({ callId, tool }) => ({
      call: { id: callId ?? '', name: tool ?? '', arguments: '{}' },
      result: { content: NEVER, isError: true, ephemeral: false },
    })),
    { format },
  )

/** Puts results before the next message, or into it: Anthropic and Gemini have all results of a step in one. */
function before(message: object, results: readonly object[]): object[] {
  const [result] = results
  for (const name of ['content', 'parts'] as const) {
    const [own, next] = [partsOf(result, name), partsOf(message, name)]
    if (own !== null && next !== null && roleOf(result) === roleOf(message))
      return [{ ...message, [name]: [...own, ...next] }]
  }
  return [...results, message]
}

const roleOf = (message: object | undefined): unknown => (message as { role?: unknown }).role

/** The parts of a message; `null` if it is a message of a tool, which has a text. */
function partsOf(message: object | undefined, name: 'content' | 'parts'): unknown[] | null {
  const content = (message as Record<string, unknown>)[name]
  if (Array.isArray(content)) return content
  return typeof content === 'string' && roleOf(message) === 'user' ? [{ type: 'text', text: content }] : null
}
