import { called, check, checkMessages, kind, LIST, OBJECT, refuse } from '../base/check.js'
import { checkFormat } from '../base/format.js'
import { isRecord } from '../base/json.js'
import { inputText } from '../formats/call-input.js'
import { readConversation } from '../formats/index.js'
import { callsIn, NO_ID } from '../formats/neutral.js'
import type { BlockFacts, Format } from '../generated/types.js'
import { History } from '../history/history.js'
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
  checkFormat('format', format)
  checkIsOf(messages, format)
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

/** Calls of another format would not be seen, and the agent would stop. */
function checkIsOf(messages: readonly object[], format: Format): void {
  checkMessages(messages)
  const history = new History()
  try {
    const isCall = ({ kind }: BlockFacts) => kind === 'tool-call' || kind === 'tool-result'
    const found = history.blocks(messages).some(isCall) ? history.detectedFormat() : format
    if (found !== format) refuse('format', `${found}, which the calls of the messages are in`, format)
  } finally {
    history.free()
  }
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
