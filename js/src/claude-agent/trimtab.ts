/// <reference lib="esnext.disposable" preserve="true" />

import { type ArrivalOptions, Arrivals } from '../adapters/arrivals.js'
import { PendingCalls, UNKNOWN_CALL } from '../adapters/pending-calls.js'
import { type Zod, type ZodArguments, zodArguments } from '../adapters/zod-arguments.js'
import { check, OBJECT, readable, withMethods } from '../base/check.js'
import { asRecord } from '../base/json.js'
import type { Policy } from '../generated/types.js'
import { RECALL, recallTool } from '../history/recall.js'
import { toolOutput } from './tool-output.js'

/** What is used of a `HookInput`. */
export interface ClaudeHookInput {
  session_id: string
  agent_id?: string
  tool_name?: string
  tool_input?: unknown
  tool_response?: unknown
  tool_use_id?: string
}

/** What a hook answers. */
export interface ClaudeHookOutput {
  hookSpecificOutput?: { hookEventName: 'PostToolUse'; updatedToolOutput: unknown }
}

/** A hook for every tool. */
export type ClaudeHook = [{ hooks: [(input: ClaudeHookInput) => Promise<ClaudeHookOutput>] }]

/** What `tool` takes. */
export type ClaudeRecall<Schema> = [
  name: 'recall',
  description: string,
  schema: ZodArguments<Schema>,
  run: (args: object, extra: unknown) => Promise<{ content: { type: 'text'; text: string }[] }>,
]

/** Options of {@link trimtab}. */
export interface ClaudeAgentOptions<Schema> extends ArrivalOptions {
  /** `z` of zod, of which the SDK takes the arguments of tools. */
  z: Zod<Schema>
}

/** What {@link trimtab} gives, over the same sessions. */
export interface ClaudeAgentTrimtab<Schema> extends Disposable {
  /** For `options.hooks` of `query`. */
  readonly hooks: { PreToolUse: ClaudeHook; PostToolUse: ClaudeHook; PreCompact: ClaudeHook }
  /** For `tool(...recall)` in a `createSdkMcpServer`: gives the model back what was left out. */
  readonly recall: ClaudeRecall<Schema>
}

/**
 * Trims what tools answer in Claude's Agent SDK, before the model sees it. What it was sent stays as it is: the SDK has no place to
 * change that, so only `clip` and `dedupe` can be on.
 *
 * @param policy What to do; `clip` and `dedupe` when absent.
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
    const output = isRecall(tool) ? undefined : toolOutput(use.tool_response)
    if (output === undefined) return {}
    const text = arrivals.show({ session, agent, callId, tool, input: use.tool_input, text: output.text })
    if (text === undefined) return {}
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
      zodArguments(z, parameters),
      (args, extra) => {
        const session = calls.take(callOf(extra))
        const text = session === undefined ? UNKNOWN_CALL : arrivals.answerRecall(session, args)
        return Promise.resolve({ content: [{ type: 'text', text }] })
      },
    ],
    [Symbol.dispose]: () => arrivals[Symbol.dispose](),
  }
}

const ZOD = withMethods<Zod<never>>('z of zod', 'string', 'number')

const hook = (run: (input: ClaudeHookInput) => ClaudeHookOutput): ClaudeHook => [
  { hooks: [(input) => Promise.resolve(run(input))] },
]

/** Claude Code tells a tool which call it answers. */
function callOf(extra: unknown): string | undefined {
  const id = asRecord(asRecord(extra)?._meta)?.['claudecode/toolUseId']
  return typeof id === 'string' ? id : undefined
}
