import { plainId } from '../../prices/model-id.js'

/**
 * Minimum tokens that a model caches. The first matching prefix applies.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching,
 * https://ai.google.dev/gemini-api/docs/caching, as recorded by third parties in November 2026.
 */
const LEAST: readonly (readonly [number, readonly string[]])[] = [
  [512, ['claude-opus-5', 'claude-fable-5', 'claude-mythos-5']],
  [4096, ['claude-opus-4-5', 'claude-opus-4-6', 'claude-haiku-4-5', 'gemini-3', 'gemini-2-5-pro']],
  [2048, ['claude-opus-4-7', 'claude-3-5-haiku', 'claude-3-haiku']],
]

/** The minimum of most models of Anthropic and OpenAI. */
const USUAL = 1024

/** Tokens. Providers that cache by themselves do so in steps; a difference below one step is not a miss. */
export const STEP_TOKENS = 256

/** Returns the minimum tokens that a model caches, by its id. */
export function leastCached(model: string | null): number {
  const id = plainId(model ?? '')
  return LEAST.find(([, names]) => names.some((name) => id.startsWith(name)))?.[0] ?? USUAL
}
