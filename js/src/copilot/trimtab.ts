/// <reference lib="esnext.disposable" preserve="true" />

import { type ArrivalOptions, Arrivals } from '../adapters/arrivals.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool, type ToolParameters } from '../history/recall.js'

/** What is used of a `ToolResultObject`. */
export interface CopilotResult {
  textResultForLlm: string
}

/** What is used of a `PostToolUseHookInput`. */
export interface CopilotToolUse<R extends CopilotResult> {
  sessionId: string
  toolName: string
  toolArgs: unknown
  toolResult: R
}

/** Which session a hook or a tool is called for. */
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

/** A `Tool`. (No interface: so its parameters are also a record.) */
export type CopilotRecall = {
  name: 'recall'
  description: string
  parameters: ToolParameters
  skipPermission: true
  defer: 'never'
  handler(args: unknown, invocation: CopilotInvocation): string
}

/** What {@link trimtab} gives, over the same sessions. */
export interface CopilotTrimtab extends Disposable {
  /** For `hooks` of `createSession`. */
  readonly hooks: CopilotHooks
  /** For `tools` of `createSession`: gives the model back what was left out. */
  readonly recall: CopilotRecall
}

/**
 * Trims what tools answer in GitHub's Copilot SDK, before the model sees it. What it was sent stays as it is: the SDK has no place to
 * change that, and says of a result neither which call it answers nor how long it is shown, so only `clip` can be on.
 *
 * @param policy What to do; `clip` when absent.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab(policy?: Policy, options: ArrivalOptions = {}): CopilotTrimtab {
  const arrivals = new Arrivals(policy, ['clip'], options)
  const { description, parameters } = recallTool()
  return {
    hooks: {
      onPostToolUse({ sessionId: agent, toolName: tool, toolArgs: input, toolResult }, { sessionId }) {
        if (tool === RECALL) return undefined
        const { textResultForLlm: text } = toolResult
        const shown = arrivals.show({ session: sessionId, agent, tool, input, text })
        return shown === undefined
          ? undefined
          : { modifiedResult: { ...toolResult, textResultForLlm: shown } }
      },
    },
    recall: {
      name: RECALL,
      description,
      parameters,
      skipPermission: true,
      defer: 'never',
      handler: (args, { sessionId }) => arrivals.answerRecall(sessionId, args),
    },
    [Symbol.dispose]: () => arrivals[Symbol.dispose](),
  }
}
