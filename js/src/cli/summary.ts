import {
  type BlockFacts,
  type FixedContent,
  type Inspection,
  type NeutralHistory,
  type PassReport,
  type Policy,
  type RepeatedRead,
  type Report,
  readMessages,
  type TokensByKind,
} from '../index.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import { type ReportedTokens, reportedTokens } from '../tokens/index.js'
import type { SkippedLines, Transcript } from '../transcripts/index.js'
import type { NamedPolicy } from './policies.js'

/** Output of `trimtab inspect --json`. Keys are only ever added. */
export interface Summary {
  file: string
  kind: Transcript['kind']
  format: Transcript['format']
  title: string | null
  messages: number
  steps: number
  /** How tokens are counted: all counts are estimates. */
  tokenEstimate: 'utf-8 bytes / 3.5'
  tokens: TokensByKind
  /** Comparison of the estimates with the provider's counts; `null` if the file has none. */
  reportedTokens: ReportedTokens | null
  toolResults: { tool: string; results: number; tokens: number }[]
  largestResults: LargestResult[]
  repeatedReads: RepeatedRead[]
  supersededReads: { results: number; tokens: number }
  /** Content that no policy changes, by type. */
  fixed: FixedContent[]
  unansweredCalls: { message: number; tool: string; id: string }[]
  orphanResults: { message: number; tool: string; id: string }[]
  skipped: { count: number; reasons: SkippedLines[] }
  policies: PolicyOutcome[]
}

export interface LargestResult
  extends Pick<
    BlockFacts,
    | 'message'
    | 'block'
    | 'tool'
    | 'origin'
    | 'path'
    | 'startLine'
    | 'endLine'
    | 'command'
    | 'tokens'
    | 'lines'
  > {
  /** Start of the call's arguments, if neither a path nor a command is known. */
  argument: string | null
}

export interface PolicyOutcome {
  name: string
  policy: Policy
  tokens: number
  percent: number
  edits: number
  /** First message that differs: the prompt cache is valid up to it. */
  firstChangedMessage: number | null
  passes: PassReport[]
}

export function summarise(
  file: string,
  transcript: Transcript,
  inspection: Inspection,
  outcomes: readonly { named: NamedPolicy; report: Report }[],
): Summary {
  const system = systemTokens(transcript)
  const history = readMessages(transcript.messages, { format: transcript.format })
  const tokens = {
    ...inspection.tokens,
    total: inspection.tokens.total + system,
    system: inspection.tokens.system + system,
  }
  return {
    file,
    kind: transcript.kind,
    format: transcript.format,
    title: transcript.title ?? null,
    messages: inspection.messages,
    steps: inspection.steps,
    tokenEstimate: 'utf-8 bytes / 3.5',
    tokens,
    reportedTokens: reportedTokens(transcript) ?? null,
    toolResults: inspection.tools.map(({ tool, results, tokens }) => ({ tool, results, tokens })),
    largestResults: inspection.largest.map((facts) => largestResult(facts, history)),
    repeatedReads: inspection.repeatedReads.map(({ path, reads, tokens }) => ({ path, reads, tokens })),
    supersededReads: inspection.supersededReads,
    fixed: inspection.fixed,
    unansweredCalls: inspection.unansweredCalls,
    orphanResults: inspection.orphanResults,
    skipped: {
      count: transcript.skipped.reduce((sum, { count }) => sum + count, 0),
      reasons: transcript.skipped,
    },
    policies: outcomes.map(({ named, report }) => outcome(named, report, system)),
  }
}

/** Tokens of a system prompt kept outside the messages: it is sent under every policy. */
function systemTokens({ system }: Transcript): number {
  return system === undefined ? 0 : estimateByBytes(system)
}

/** Length of the shown start of a call's arguments. */
const SHOWN_CHARS = 200

function largestResult(facts: BlockFacts, history: NeutralHistory): LargestResult {
  const { message, block, tool, origin, path, startLine, endLine, command, tokens, lines } = facts
  const call = path === null && command === null ? history.callOf(facts) : undefined
  const text = call === undefined ? '{}' : history.textOf(call)
  const argument = text === '{}' ? null : text.slice(0, SHOWN_CHARS)
  return { message, block, tool, origin, path, startLine, endLine, command, tokens, lines, argument }
}

function outcome({ name, policy }: NamedPolicy, report: Report, system: number): PolicyOutcome {
  const before = report.tokensBefore + system
  const after = report.tokensAfter + system
  return {
    name,
    policy,
    tokens: after,
    percent: before === 0 ? 100 : Math.round((1000 * after) / before) / 10,
    edits: report.passes.reduce((sum, { edits }) => sum + edits, 0),
    firstChangedMessage: report.firstChangedIndex,
    passes: report.passes.map(({ pass, edits, tokensSaved }) => ({ pass, edits, tokensSaved })),
  }
}
