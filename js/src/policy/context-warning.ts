import { AMOUNT, check } from '../base/check.js'

/**
 * What the model is told before results are cleared: document "Memory and Context Editing".
 *
 * @param percentage How much of the window is used; rounded.
 * @throws {TrimtabError} `invalid_option`.
 */
export function contextWarning(percentage: number): string {
  check('percentage', percentage, AMOUNT)
  return `⚠️ CONTEXT APPROACHING LIMIT

You are at ${Math.round(percentage)}% of context capacity. Important tool results will be cleared soon. Save any critical information to workspace.md now.`
}
