import type { TokensByKind } from '../generated/types.js'

/** Tokens by source: groups of kinds that share one correction. */
export interface TokensBySource {
  /** Written by the model: text, reasoning and calls. */
  answers: number
  /** Returned by tools. */
  results: number
  /** Written by the user and the system; also files and unknown content. */
  prompts: number
}

/** The source of each kind. */
export const SOURCES = {
  system: 'prompts',
  user: 'prompts',
  assistantText: 'answers',
  reasoning: 'answers',
  toolCalls: 'answers',
  toolResults: 'results',
  other: 'prompts',
} as const satisfies Record<Exclude<keyof TokensByKind, 'total'>, keyof TokensBySource>

export type TokenKind = keyof typeof SOURCES

export const TOKEN_KINDS = Object.keys(SOURCES) as TokenKind[]

export const NO_TOKENS: Readonly<TokensByKind> = {
  total: 0,
  system: 0,
  user: 0,
  assistantText: 0,
  reasoning: 0,
  toolCalls: 0,
  toolResults: 0,
  other: 0,
}

/** Sums tokens by kind to tokens by source. */
export function bySource(tokens: TokensByKind): TokensBySource {
  const sources = { answers: 0, results: 0, prompts: 0 }
  for (const kind of TOKEN_KINDS) sources[SOURCES[kind]] += tokens[kind]
  return sources
}

export function sourcesOfAll(estimates: readonly TokensBySource[]): TokensBySource {
  const sum = { answers: 0, results: 0, prompts: 0 }
  for (const { answers, results, prompts } of estimates) {
    sum.answers += answers
    sum.results += results
    sum.prompts += prompts
  }
  return sum
}

export function sumOfSources({ answers, results, prompts }: TokensBySource): number {
  return answers + results + prompts
}
