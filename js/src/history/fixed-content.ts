import { asArray, asRecord, type JsonRecord } from '../base/json.js'
import { BYTES_PER_TOKEN } from '../generated/protocol.js'
import type { History } from './history.js'
import { sentences } from './sentences.js'
import type { FixedContent } from './types.js'

/** The beginning of results as Roo Code, Cline, ReAct and Hermes write them in a prompt. */
const RESULT = /^\s*(\[[\w-]+[^\]\n]*\] Result:|Observation:|<tool_re(sult|sponse)\b)/

/** Kinds of blocks among which such content is: parts of the others are not looked up. */
const OF_INTEREST = ['unknown', 'tool-result', 'text']

/**
 * Finds the content that no policy changes, apart from ordinary texts, reasoning and files, and sums it by type, most
 * tokens first.
 */
export function fixedContent(
  history: History,
  messages: readonly object[],
  blocks = history.blocks(messages),
): FixedContent[] {
  const found = new Map<string, FixedContent>()
  // docs/guides/formats.md has the same reasons.
  const { fixed, inText, ownBlock, unknown } = sentences()
  const reasonFor = (key: string) => (Object.hasOwn(fixed, key) ? (fixed[key] as string) : unknown)
  /** The message whose further texts continue a result. */
  let continued = -1

  function add(type: string, tokens: number, reason: string): void {
    const sum = found.get(type) ?? { type, blocks: 0, tokens: 0, reason }
    found.set(type, sum)
    sum.blocks++
    sum.tokens += tokens
  }

  for (const { kind, role, tool, message, block, tokens } of blocks) {
    if (!OF_INTEREST.includes(kind)) continue
    const part = history.partOf(messages, message, block)
    // A copy: a proxy may throw at fields that it does not have.
    const fields = { ...asRecord(part) }
    const { type, providerExecuted, text = part } = fields
    // The AI SDK sends such results as the provider's own blocks.
    const isOwn = type === kind ? role === 'assistant' : providerExecuted === true
    // Gemini has no types: the field itself is the name.
    const field = Object.keys(fields).find((key) => !key.startsWith('thought')) ?? kind
    if (kind === 'unknown' ? tokens > 0 : kind === 'tool-result' && isOwn)
      add(`${tool ?? type ?? field}`, tokens, isOwn ? ownBlock : reasonFor(`${type ?? `.${field}`}`))
    if (kind !== 'text' || role === 'system' || typeof text !== 'string') continue
    if (RESULT.test(text)) continued = message
    const isResult = continued === message ? !text.startsWith('<environment_details>') : hasObservation(text)
    if (isResult) add('result in a text', tokens, inText)
  }
  for (const message of messages)
    for (const [name, list] of listsBeside(message))
      add(name, Math.ceil(JSON.stringify(list).length / BYTES_PER_TOKEN), reasonFor(`.${name}`))
  return [...found.values()].sort((one, other) => other.tokens - one.tokens)
}

/**
 * Results of Groq, and those of OpenAI that LangChain keeps: fields of a message that no format reads. As a part
 * of its caller, this code now and then ended Node 20 (V8 11.3, "unreachable code" when it left optimized code).
 */
function listsBeside(message: object): [string, readonly unknown[]][] {
  const { executed_tools, additional_kwargs } = message as JsonRecord
  const { tool_outputs } = asRecord(additional_kwargs) ?? {}
  const lists: [string, readonly unknown[]][] = [
    ['executed_tools', asArray(executed_tools)],
    ['tool_outputs', asArray(tool_outputs)],
  ]
  return lists.filter(([, list]) => list.length > 0)
}

/** Whether a text is ReAct's notes: actions with their results. */
const hasObservation = (text: string): boolean =>
  text.slice(text.search(/^Action:/m)).includes('\nObservation:')
