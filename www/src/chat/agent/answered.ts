import { type BlockFacts, type Format, readMessages } from 'trimtab'
import { toolResultMessages } from 'trimtab/tools'
import { isResult } from './turn.js'

const NEVER = 'Error: this call was interrupted before it had a result.'

/**
 * Adds a result for each call that has none, after those of the same message that have one: providers refuse such a
 * history. Calls lose their results when the page is closed while they run, and in sessions that a user interrupted.
 *
 * @param messages In the format of a model: OpenAI's Chat Completions, Anthropic's or Gemini's.
 */
export function answered(messages: readonly object[], format: Format): object[] {
  const all: object[] = []
  const { messages: facts } = readMessages(messages, { format })
  let results: object[] = []
  messages.forEach((message, at) => {
    if (roleOf(message) === 'tool') {
      all.push(message)
      return
    }
    all.push(...(results.length > 0 ? before(message, results) : [message]))
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
    if (own === null || next === null || roleOf(result) !== roleOf(message)) continue
    // Gemini's results have no ids: they are in the order of the calls.
    const end = next.findLastIndex(isResult) + 1
    return [{ ...message, [name]: [...next.slice(0, end), ...own, ...next.slice(end)] }]
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
