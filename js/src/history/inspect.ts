import { checkMessages, checkOptions, readable } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { grouped } from '../base/lists.js'
import type { BlockFacts } from '../generated/types.js'
import { fixedContent } from './fixed-content.js'
import { historyFor } from './histories.js'
import { steps, usage } from './lookups.js'
import type { FormatOptions, Inspection, RepeatedRead, ToolShare, Unpaired } from './types.js'

const LARGEST = 10

/**
 * Returns statistics of a history: tokens by kind, the largest results, repeated reads, unanswered calls,
 * every block.
 *
 * @throws {TrimtabError} As `project`.
 */
export function inspect<M extends object>(messages: readonly M[], options: FormatOptions = {}): Inspection {
  messages = checkMessages(messages)
  options = checkOptions(options, { format: FORMAT }, 'inspect')
  const session = historyFor(messages, options.format)
  const blocks = session.blocks(messages)
  const results = blocks.filter((block) => block.kind === 'tool-result')
  const calls = blocks.filter((block) => block.kind === 'tool-call')
  const superseded = results.filter((block) => block.isSuperseded)
  return {
    format: session.detectedFormat(),
    messages: messages.length,
    steps: steps(session, messages),
    tokens: usage(session, messages),
    tools: toolShares(results),
    largest: mostTokensFirst(results).slice(0, LARGEST),
    repeatedReads: repeatedReads(results),
    supersededReads: { results: superseded.length, tokens: tokensOf(superseded) },
    fixed: readable('messages', () => fixedContent(session, messages, blocks), 'unreadable_message'),
    unansweredCalls: unpaired(calls.filter((call) => !call.providerExecuted)),
    orphanResults: unpaired(results),
    blocks,
  }
}

function tokensOf(items: readonly { tokens: number }[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Sorts by tokens, descending; a stable sort. */
function mostTokensFirst<T extends { tokens: number }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => b.tokens - a.tokens)
}

function toolShares(results: readonly BlockFacts[]): ToolShare[] {
  const byTool = grouped(results, (block) => block.tool ?? '')
  const share = ([tool, group]: [string, BlockFacts[]]): ToolShare => ({
    tool,
    results: group.length,
    tokens: tokensOf(group),
  })
  return mostTokensFirst([...byTool].map(share))
}

function repeatedReads(results: readonly BlockFacts[]): RepeatedRead[] {
  const reads = results.filter(
    (block) => block.origin === 'read' && block.files.length === 1 && block.isPaired,
  )
  const repeated = [...grouped(reads, (block) => block.path ?? '')].filter(([, group]) => group.length > 1)
  return mostTokensFirst(
    repeated.map(([path, group]) => ({ path, reads: group.length, tokens: tokensOf(group.slice(0, -1)) })),
  )
}

function unpaired(blocks: readonly BlockFacts[]): Unpaired[] {
  return blocks
    .filter((block) => !block.isPaired)
    .map(({ message, tool, callId }) => ({ message, tool: tool ?? '', id: callId ?? '' }))
}
