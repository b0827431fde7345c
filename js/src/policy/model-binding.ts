import { checksum } from '../base/digest.js'
import type { Binding, Policy } from '../generated/types.js'
import { plainId } from '../prices/model-prices.js'

/**
 * What models demand of the signed reasoning that they are given back, the closest name first. A name ends in `*` where it
 * is a family's.
 *
 * Bound: `@ai-sdk/anthropic` 4.0.105, docs/05-anthropic.mdx, "Thinking Binding Controls"; `@anthropic-ai/sdk` 1.12.0,
 * `BetaThinkingBlockBinding`. Required: https://platform.claude.com/docs/en/build-with-claude/extended-thinking, on
 * preserving thinking blocks. Others have no signature of Anthropic's.
 */
const BINDINGS: readonly (readonly [Binding, readonly string[]])[] = [
  ['bound', ['claude-fable-5-1*', 'claude-fable-5-2*', 'claude-opus-5-5*', 'claude-sonnet-5-5*']],
  ['required', ['claude-3-7*', 'claude-haiku-4*', 'claude-sonnet-4*', 'claude-opus-4*']],
  ['free', ['gpt-*', 'o1*', 'o3*', 'o4*', 'gemini-*', 'deepseek-*', 'grok-*', 'kimi-*', 'glm-*', 'qwen*']],
]

/** What a model demands, by its id as providers and gateways spell it; `unknown` for one that is not in the table. */
export function bindingOf(model: string): Binding {
  return BINDINGS.find(([, names]) => isOneOf(model, names))?.[0] ?? 'unknown'
}

/** Whether a model, as providers and gateways spell it, is one of these; a name ends in `*` where it is a family's. */
export function isOneOf(model: string, names: readonly string[]): boolean {
  const id = plainId(model)
  return names.some((name) => (name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name))
}

/** The policy with what the model demands, where it does not say that itself. */
export function forModel(policy: Policy, model: string | undefined): Policy {
  if (model === undefined || typeof policy !== 'object' || policy === null) return policy
  return { binding: bindingOf(model), ...policy }
}

/** A checksum of what decides how a request begins, and how edits of it read. */
export function prefixOf(policy: Policy, prefix = '', model = ''): number {
  const { clear, clip, recall } = policy
  return checksum(JSON.stringify([prefix, model, clear, clip, recall]))
}
