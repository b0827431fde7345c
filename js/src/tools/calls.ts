import { TrimtabError } from '../base/error.js'
import { checkIsObject } from '../base/options.js'
import { inputText } from '../formats/call-input.js'
import { readConversation } from '../formats/index.js'
import { callsIn, NO_ID } from '../formats/neutral.js'
import type { Format } from '../generated/types.js'
import { type ExecuteOptions, failed, type Tool, type ToolResult } from './tool.js'

/** A call as the model made it, whatever the format. */
export interface ToolCall {
  /** Empty where the provider gives none (Gemini). */
  id: string
  name: string
  /** JSON text. */
  arguments: string
}

/**
 * The calls of a history that have no result yet, in their order: what is to be run now.
 *
 * @param messages The history, or the model's answer alone.
 * @throws {TrimtabError} `invalid_messages`, `invalid_option`.
 */
export function openToolCalls(messages: readonly object[], format: Format): ToolCall[] {
  return readConversation(messages, format).flatMap((message) => {
    const answered = new Set(message.results.map(({ call }) => call))
    return callsIn(message)
      .filter((call) => !answered.has(call))
      .map((call) => ({
        id: call.id.startsWith(NO_ID) ? '' : call.id,
        name: call.name,
        arguments: inputText(call, message.at),
      }))
  })
}

/**
 * Runs a call by the tool of its name. A tool that is not there is an answer too.
 *
 * @throws {TrimtabError} `invalid_option` where it is the host that gave something else.
 */
export async function runToolCall(
  tools: readonly Tool[],
  call: Pick<ToolCall, 'name' | 'arguments'>,
  options: ExecuteOptions = {},
): Promise<ToolResult> {
  if (!Array.isArray(tools))
    throw new TrimtabError('invalid_option', 'runToolCall needs the tools: createTools(workspace)', {
      argument: 'tools',
    })
  if (typeof call?.name !== 'string') {
    const message =
      "runToolCall needs a call as openToolCalls gives it: { id, name, arguments }, not the provider's own"
    throw new TrimtabError('invalid_option', message, { argument: 'call' })
  }
  for (const tool of tools) checkIsObject('tools', tool)
  const tool = tools.find(({ name }) => name === call.name)
  if (tool !== undefined) return tool.execute(call.arguments, options)
  const names = tools.map(({ name }) => name).join(', ')
  return failed(`there is no tool ${JSON.stringify(call.name)}. The tools are: ${names}.`)
}
