import { readable } from '../base/check.js'
import { asRecord, type JsonRecord } from '../base/json.js'

/** The tokens of one request and its answer, as counted by the provider. */
export interface ReportedUsage {
  /** All input: read from the cache, written to it, and other. */
  input: number
  /** The part of `input` that was read from the cache. */
  cached: number
  /** The tokens of the answer; 0 if they are not reported. */
  output: number
}

/**
 * Reads the usage that a provider reported for a request: `usage` of Anthropic, OpenAI (Chat Completions,
 * Responses) and DeepSeek, `usageMetadata` of Gemini, `usage` of the AI SDK, `usage_metadata` of LangChain,
 * and {@link ReportedUsage} itself. Reasoning that is billed, but not sent again with the next request, is
 * subtracted from `output` if the provider reports its size. Returns `undefined` if no input was reported, as
 * for a request that failed.
 */
export function readUsage(value: unknown): ReportedUsage | undefined {
  return readable('usage', () => {
    const usage = asRecord(value)
    if (usage === undefined) return undefined
    const shape = SHAPES.find(({ sign }) => usage[sign] !== undefined)
    return shape === undefined ? undefined : usageFrom(shape.read(usage))
  })
}

/**
 * Whether there is no usage to learn from: the value is absent, or has no input, as for a request that failed
 * or was aborted. A value of an unknown form is not unreported, but an error.
 */
export function isUnreported(value: unknown): boolean {
  return readable('usage', () => {
    const usage = asRecord(value)
    if (usage === undefined) return value === undefined || value === null
    return SHAPES.some(({ sign }) => sign in usage) && readUsage(usage) === undefined
  })
}

/** Counts as reported by a provider; a value that is not a number counts as 0. */
interface Counts {
  /** Input that is neither in `cached` nor in `written`. */
  uncached: unknown
  /** Input read from the cache. */
  cached: unknown
  /** Input written to the cache. */
  written: unknown
  output: unknown
}

/** Adds up all parts of the input; `undefined` if there are none (a request that failed). */
function usageFrom(counts: Counts): ReportedUsage | undefined {
  const cached = amount(counts.cached)
  const input = amount(counts.uncached) + cached + amount(counts.written)
  return input === 0 ? undefined : { input, cached, output: amount(counts.output) }
}

/**
 * Each form is recognised by a field that only it has. If two share one, the more specific form comes first.
 */
const SHAPES: readonly { sign: string; read(usage: JsonRecord): Counts }[] = [
  { sign: 'cache_read_input_tokens', read: anthropic },
  { sign: 'cache_creation_input_tokens', read: anthropic },
  {
    // OpenAI's Responses API, Codex, LangChain, and Anthropic without a cache.
    sign: 'input_tokens',
    read: ({ input_tokens, output_tokens, total_tokens, ...usage }) => {
      const cached = detail(usage.input_tokens_details).cached_tokens ?? usage.cached_input_tokens
      // The Responses API reports reasoning as well, but takes it with the next request: `output_tokens_details`.
      const { reasoning } = detail(usage.output_token_details)
      const output = said({ input: input_tokens, output: output_tokens, reasoning, total: total_tokens })
      return whole(input_tokens, cached ?? detail(usage.input_token_details).cache_read, output)
    },
  },
  {
    sign: 'prompt_tokens',
    read: ({ prompt_tokens, completion_tokens, total_tokens, ...usage }) => {
      const cached = detail(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens
      const { reasoning_tokens: reasoning } = detail(usage.completion_tokens_details)
      const output = said({ input: prompt_tokens, output: completion_tokens, reasoning, total: total_tokens })
      return whole(prompt_tokens, cached, output)
    },
  },
  {
    sign: 'promptTokenCount',
    read: ({ promptTokenCount, toolUsePromptTokenCount, cachedContentTokenCount, candidatesTokenCount }) =>
      whole(
        amount(promptTokenCount) + amount(toolUsePromptTokenCount),
        cachedContentTokenCount,
        candidatesTokenCount,
      ),
  },
  {
    sign: 'inputTokens',
    // The AI SDK, OpenAI Agents, and cline; also the AI SDK's model interface, in which both fields are
    // objects.
    read: ({ inputTokens, cachedInputTokens, cacheReadTokens, outputTokens, ...usage }) => {
      const model = asRecord(inputTokens)
      if (model !== undefined) {
        const { total, reasoning } = detail(outputTokens)
        return whole(model.total, model.cacheRead, said({ output: total, reasoning }))
      }
      const cached = cachedInputTokens ?? cacheReadTokens ?? detail(usage.inputTokenDetails).cacheReadTokens
      const reasoning = detail(usage.outputTokenDetails).reasoningTokens ?? usage.reasoningTokens
      const output = said({ input: inputTokens, output: outputTokens, reasoning, total: usage.totalTokens })
      return whole(inputTokens, cached ?? agentsCached(usage.inputTokensDetails), output)
    },
  },
  {
    // AI SDK 4, TanStack AI, and LangChain's older `tokenUsage`.
    sign: 'promptTokens',
    read: ({ promptTokens, promptTokensDetails, completionTokens, ...usage }) => {
      const { reasoningTokens: reasoning } = detail(usage.completionTokensDetails)
      const output = said({
        input: promptTokens,
        output: completionTokens,
        reasoning,
        total: usage.totalTokens,
      })
      return whole(promptTokens, detail(promptTokensDetails).cachedTokens, output)
    },
  },
  {
    // pi: `input` excludes cache reads and writes. Without pi's fields it is `ReportedUsage`.
    sign: 'cacheRead',
    read: ({ input, cacheRead, cacheWrite, output }) => ({
      uncached: input,
      cached: cacheRead,
      written: cacheWrite,
      output,
    }),
  },
  { sign: 'input', read: ({ input, cached, output }) => whole(input, cached, output) },
]

/** OpenAI Agents: a list with an entry per request; in stream events a single entry. */
function agentsCached(details: unknown): unknown {
  return Array.isArray(details)
    ? details.reduce((sum: number, each) => sum + amount(detail(each).cached_tokens), 0)
    : detail(details).cached_tokens
}

/**
 * Returns the output without the reasoning in it. In reports of xAI, and of LangChain and AI SDK 5 about Gemini, it
 * is not in the output: their total has it besides.
 */
function said(counts: { input?: unknown; output: unknown; reasoning: unknown; total?: unknown }): number {
  const output = amount(counts.output)
  const reasoning = amount(counts.reasoning)
  const isBesides = amount(counts.total) >= amount(counts.input) + output + reasoning
  return isBesides ? output : output - reasoning
}

function anthropic(usage: JsonRecord): Counts {
  return {
    uncached: usage.input_tokens,
    cached: usage.cache_read_input_tokens,
    written: usage.cache_creation_input_tokens,
    output: usage.output_tokens,
  }
}

/** Counts for an input total that includes the cached part. */
function whole(input: unknown, cached: unknown, output: unknown): Counts {
  const fromCache = Math.min(amount(cached), amount(input))
  return { uncached: amount(input) - fromCache, cached: fromCache, written: 0, output }
}

function detail(value: unknown): JsonRecord {
  return asRecord(value) ?? {}
}

function amount(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}
