import { AMOUNT, check } from '../base/check.js'

/**
 * Returns the warning for the model before results are cleared: document "Memory and Context Editing".
 *
 * @param percentage Used part of the window, in percent; rounded.
 * @throws {TrimtabError} `invalid_option`.
 */
export function contextWarning(percentage: number): string {
  check('percentage', percentage, AMOUNT)
  return `⚠️ CONTEXT APPROACHING LIMIT

You are at ${Math.round(percentage)}% of context capacity. Important tool results will be cleared soon. Save any critical information to workspace.md now.`
}
