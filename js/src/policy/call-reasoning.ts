import type { CallReasoning } from '../generated/types.js'
import { plainId } from '../prices/model-id.js'

/**
 * What models require with the calls of a history. A name that ends in `*` is a family.
 *
 * Text: https://api-docs.deepseek.com/guides/thinking_mode, on tool calls;
 * https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model. Signature:
 * https://ai.google.dev/gemini-api/docs/thought-signatures.
 */
const ASKED: readonly (readonly [CallReasoning, readonly string[]])[] = [
  [
    'text',
    [
      'deepseek-v4*',
      'deepseek-flash*',
      'deepseek-reasoner*',
      'kimi-k2-thinking*',
      'kimi-k2-5*',
      'kimi-k2-6*',
      'kimi-k2-7*',
      'kimi-k3*',
    ],
  ],
  ['signature', ['gemini-3*', 'gemini-4*']],
]

/**
 * Returns what a model requires with calls, by its id as providers and gateways spell it; `undefined` if
 * unknown.
 */
export function callReasoningOf(model: string): CallReasoning | undefined {
  return ASKED.find(([, names]) => isOneOf(model, names))?.[0]
}

/**
 * Whether a model, as providers and gateways spell it, has one of the names. A name that ends in `*` is a
 * family.
 */
function isOneOf(model: string, names: readonly string[]): boolean {
  const id = plainId(model)
  return names.some((name) => (name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name))
}
