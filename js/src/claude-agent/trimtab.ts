/// <reference lib="esnext.disposable" preserve="true" />

import { type ArrivalOptions, Arrivals } from '../adapters/arrivals.js'
import { PendingCalls, UNKNOWN_CALL } from '../adapters/pending-calls.js'
import { type Zod, type ZodArguments, zodArguments } from '../adapters/zod-arguments.js'
import { check, OBJECT, readable, withMethods } from '../base/check.js'
import { asRecord } from '../base/json.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool } from '../history/recall.js'
import { toolOutput } from './tool-output.js'

/** The used part of a `HookInput`. */
export interface ClaudeHookInput {
  session_id: string
  agent_id?: string
  tool_name?: string
  tool_input?: unknown
  tool_response?: unknown
  tool_use_id?: string
}

/** The output of a hook. */
export interface ClaudeHookOutput {
  hookSpecificOutput?: { hookEventName: 'PostToolUse'; updatedToolOutput: unknown }
}

/** A hook for all tools. */
export type ClaudeHook = [{ hooks: [(input: ClaudeHookInput) => Promise<ClaudeHookOutput>] }]

/** The arguments of `tool`. */
export type ClaudeRecall<Schema> = [
  name: 'recall',
  description: string,
  schema: ZodArguments<Schema>,
  run: (args: object, extra: unknown) => Promise<{ content: { type: 'text'; text: string }[] }>,
]

/** Options of {@link trimtab}. */
export interface ClaudeAgentOptions<Schema> extends ArrivalOptions {
  /** `z` of zod; the SDK requires zod types for the arguments of tools. */
  z: Zod<Schema>
}

/** The result of {@link trimtab}. All members share the same sessions. */
export interface ClaudeAgentTrimtab<Schema> extends Disposable {
  /** For `options.hooks` of `query`. */
  readonly hooks: { PreToolUse: ClaudeHook; PostToolUse: ClaudeHook; PreCompact: ClaudeHook }
  /** For `tool(...recall)` in a `createSdkMcpServer`: returns to the model what was left out. */
  readonly recall: ClaudeRecall<Schema>
}

/**
 * Trims the output of tools in Claude's Agent SDK, before the model sees it. What was sent before is
 * unchanged: the SDK has no hook to change it. So only `clip` and `dedupe` are allowed.
 *
 * @param policy The policy; `clip` and `dedupe` by default.
 * @throws {TrimtabError} `invalid_policy`, `invalid_option`.
 */
export function trimtab<Schema>(
  policy: Policy | undefined,
  options: ClaudeAgentOptions<Schema>,
): ClaudeAgentTrimtab<Schema> {
  check('options', options, OBJECT)
  const { z, ...rest } = readable('options', () => ({ ...options }))
  check('z', z, ZOD)
  const arrivals = new Arrivals(policy, ['clip', 'dedupe'], rest)
  const calls = new PendingCalls<string>()
  const { description, parameters } = recallTool()
  const isRecall = (name: string) => name.endsWith(`__${RECALL}`)

  function afterTool(use: ClaudeHookInput): ClaudeHookOutput {
    const { session_id: session, agent_id: agent, tool_use_id: callId, tool_name: tool = '' } = use
    if (isRecall(tool)) return {}
    const output = toolOutput(use.tool_response)
    // A call without text may have changed a file that is read again.
    const { text: given = '' } = output ?? {}
    const text = arrivals.show({ session, agent, callId, tool, input: use.tool_input, text: given })
    if (output === undefined || text === undefined) return {}
    return { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: output.with(text) } }
  }

  return {
    hooks: {
      PreToolUse: hook(({ session_id, tool_name = '', tool_use_id }) => {
        if (isRecall(tool_name) && tool_use_id !== undefined) calls.add(tool_use_id, session_id)
        return {}
      }),
      PostToolUse: hook(afterTool),
      PreCompact: hook(({ session_id, agent_id }) => {
        arrivals.summarised(session_id, agent_id)
        return {}
      }),
    },
    recall: [
      RECALL,
      description,
      readable('z', () => zodArguments(z, parameters)),
      (args, extra) => {
        const session = calls.take(readable('extra', () => callOf(extra)))
        const text = session === undefined ? UNKNOWN_CALL : arrivals.answerRecall(session, args)
        return Promise.resolve({ content: [{ type: 'text', text }] })
      },
    ],
    [Symbol.dispose]: () => arrivals[Symbol.dispose](),
  }
}

const ZOD = withMethods<Zod<never>>('z of zod', 'string', 'number')

const hook = (run: (input: ClaudeHookInput) => ClaudeHookOutput): ClaudeHook => [
  { hooks: [async (input) => readable('input', () => run(input))] },
]

/** The id of the call that a tool answers, as passed by Claude Code. */
function callOf(extra: unknown): string | undefined {
  const id = asRecord(asRecord(extra)?._meta)?.['claudecode/toolUseId']
  return typeof id === 'string' ? id : undefined
}
