import { readable } from '../base/check.js'
import { checksum } from '../base/digest.js'
import type { Binding, Policy } from '../generated/types.js'
import { plainId } from '../prices/model-id.js'

/**
 * What models require of signed reasoning that is sent back, by their plain ids. The first match applies. Models of
 * Claude 5 that are not bound are named one by one: a later one may be.
 *
 * Bound: `@ai-sdk/anthropic` 4.0.105, docs/05-anthropic.mdx, "Thinking Binding Controls"; `@anthropic-ai/sdk`
 * 1.12.0, `BetaThinkingBlockBinding`. Required:
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking, on preserving thinking blocks.
 * Free: these models have no signatures of Anthropic's.
 */
const BINDINGS: readonly (readonly [Binding, RegExp])[] = [
  ['bound', /^claude-(fable-5-[12]|(opus|sonnet)-5-5)/],
  ['required', /^claude-(3-7|(haiku|sonnet|opus)-4|(opus|sonnet|fable|mythos)-5$|haiku-5-5$)/],
  ['free', /^(gpt-|o[134]|gemini-|deepseek-|grok-|kimi-|glm-|qwen)/],
]

/**
 * Returns the binding of a model, by its id as providers and gateways spell it; `unknown` for a model outside
 * the table.
 */
export function bindingOf(model: string): Binding {
  const id = plainId(model)
  return BINDINGS.find(([, ids]) => ids.test(id))?.[0] ?? 'unknown'
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
