/// <reference lib="esnext.disposable" preserve="true" />

import { type ArrivalOptions, Arrivals } from '../adapters/arrivals.js'
import { readable } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolParameters } from '../history/recall.js'

/** The used part of a `ToolResultObject`. */
export interface CopilotResult {
  textResultForLlm: string
}

/** The used part of a `PostToolUseHookInput`. */
export interface CopilotToolUse<R extends CopilotResult> {
  sessionId: string
  toolName: string
  toolArgs: unknown
  toolResult: R
}

/** The session for which a hook or a tool is called. */
export interface CopilotInvocation {
  sessionId: string
}

/** For `hooks` of `createSession`. */
export interface CopilotHooks {
  onPostToolUse<R extends CopilotResult>(
    use: CopilotToolUse<R>,
    invocation: CopilotInvocation,
  ): { modifiedResult: R } | undefined
}

/** A `Tool`. (A type alias, so that its parameters are also a record.) */
export type CopilotRecall = {
  name: 'recall'
  description: string
  parameters: ToolParameters
  skipPermission: true
  defer: 'never'
  handler(args: unknown, invocation: CopilotInvocation): string
}

/** The result of {@link trimtab}. All members share the same sessions. */
export interface CopilotTrimtab extends Disposable {
  /** For `hooks` of `createSession`. */
  readonly hooks: CopilotHooks
  /** For `tools` of `createSession`: returns to the model what was left out. */
  readonly recall: CopilotRecall
}

/**
 * Trims the output of tools in GitHub's Copilot SDK, before the model sees it. What was sent before is
 * unchanged: the SDK has no hook to change it. The SDK also does not report which call a result answers, nor
 * for how long it is shown. So only `clip` is allowed.
 *
 * @param policy The policy; `clip` by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: ArrivalOptions = {}): CopilotTrimtab {
  const arrivals = new Arrivals(policy, ['clip'], options)
  const { description, parameters } = recallTool()
  return {
    hooks: {
      onPostToolUse: (use, invocation) =>
        readable('use', () => {
          const { sessionId: agent, toolName: tool, toolArgs: input, toolResult } = use
          if (tool === RECALL) return undefined
          const { textResultForLlm: text, ...rest } = toolResult
          const session = invocation.sessionId
          const shown = arrivals.show({ session, agent, tool, input, text })
          if (shown === undefined) return undefined
          return { modifiedResult: { ...rest, textResultForLlm: shown } as typeof toolResult }
        }),
    },
    recall: {
      name: RECALL,
      description,
      parameters,
      skipPermission: true,
      defer: 'never',
      handler: (args, invocation) =>
        arrivals.answerRecall(
          readable('invocation', () => invocation.sessionId),
          args,
        ),
    },
    [Symbol.dispose]: () => arrivals[Symbol.dispose](),
  }
}
