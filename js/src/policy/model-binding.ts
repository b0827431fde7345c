import { readable } from '../base/check.js'
import { checksum } from '../base/digest.js'
import type { Binding, Policy } from '../generated/types.js'
import { plainId } from '../prices/model-id.js'

/**
 * What models require of signed reasoning that is sent back. The first match applies. A name that ends in `*`
 * is a family.
 *
 * Bound: `@ai-sdk/anthropic` 4.0.105, docs/05-anthropic.mdx, "Thinking Binding Controls"; `@anthropic-ai/sdk`
 * 1.12.0, `BetaThinkingBlockBinding`. Required:
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking, on preserving thinking blocks.
 * Free: these models have no signatures of Anthropic's.
 */
const BINDINGS: readonly (readonly [Binding, readonly string[]])[] = [
  ['bound', ['claude-fable-5-1*', 'claude-fable-5-2*', 'claude-opus-5-5*', 'claude-sonnet-5-5*']],
  ['required', ['claude-3-7*', 'claude-haiku-4*', 'claude-sonnet-4*', 'claude-opus-4*']],
  ['free', ['gpt-*', 'o1*', 'o3*', 'o4*', 'gemini-*', 'deepseek-*', 'grok-*', 'kimi-*', 'glm-*', 'qwen*']],
]

/**
 * Returns the binding of a model, by its id as providers and gateways spell it; `unknown` for a model outside
 * the table.
 */
export function bindingOf(model: string): Binding {
  return BINDINGS.find(([, names]) => isOneOf(model, names))?.[0] ?? 'unknown'
}

/**
 * Whether a model, as providers and gateways spell it, has one of the names. A name that ends in `*` is a
 * family.
 */
export function isOneOf(model: string, names: readonly string[]): boolean {
  const id = plainId(model)
  return names.some((name) => (name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name))
}

/** Returns the policy with the model's `binding`, unless the policy sets it. */
export function forModel(policy: Policy, model: string | undefined): Policy {
  if (model === undefined || typeof policy !== 'object' || policy === null) return policy
  return readable('policy', () => ({ binding: bindingOf(model), ...policy }))
}

/**
 * Returns a checksum of what precedes the messages of a request, and of the settings that determine the texts
 * of edits.
 */
export function prefixOf(policy: Policy, prefix = '', model = ''): number {
  const { clear, clip, recall } = policy
  return checksum(JSON.stringify([prefix, model, clear, clip, recall]))
}
