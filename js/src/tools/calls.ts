import { called, check, checkOptions, kind, LIST, OBJECT } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { isRecord } from '../base/json.js'
import { inputText } from '../formats/call-input.js'
import { readConversation } from '../formats/convert.js'
import { callsIn, NO_ID } from '../formats/neutral.js'
import { formatOf } from '../history/format.js'
import type { FormatOptions } from '../history/types.js'
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
 * @throws {TrimtabError} As `project`.
 */
export function openToolCalls(messages: readonly object[], options: FormatOptions = {}): ToolCall[] {
  checkOptions(options, { format: FORMAT }, 'openToolCalls')
  return readConversation(messages, formatOf(messages, options.format)).flatMap((message) => {
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

const CALL = kind<Pick<ToolCall, 'name' | 'arguments'>>(
  "a call as openToolCalls gives it, {id, name, arguments}, not the provider's own",
  (value) => isRecord(value) && typeof value.name === 'string',
)

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
  check('tools', tools, called(LIST, 'an array of tools: createTools(workspace)'))
  check('call', call, CALL)
  tools.forEach((tool, at) => {
    check(`tools[${at}]`, tool, OBJECT)
  })
  const tool = tools.find(({ name }) => name === call.name)
  if (tool !== undefined) return tool.execute(call.arguments, options)
  const names = tools.map(({ name }) => name).join(', ')
  return failed(`there is no tool ${JSON.stringify(call.name)}. The tools are: ${names}.`)
}
