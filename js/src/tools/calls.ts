import {
  called,
  check,
  checkOptions,
  checkText,
  dataKind,
  FUNCTION,
  LIST,
  OBJECT,
  readable,
  SIGNAL,
} from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { isRecord } from '../base/json.js'
import type { BlockFacts } from '../generated/types.js'
import { neutralHistory } from '../history/read-messages.js'
import type { FormatOptions } from '../history/types.js'
import { type ExecuteOptions, failed, type Tool, type ToolResult } from './tool.js'

/** A tool call by the model, in any format. */
export interface ToolCall {
  /** Empty if the provider has no ids (Gemini). */
  id: string
  name: string
  /** JSON text. */
  arguments: string
}

/**
 * Returns the calls of a history that have no result yet, in order: the calls to run now.
 *
 * @param messages The history, or the model's answer alone.
 * @throws {TrimtabError} As `project`.
 */
export function openToolCalls(messages: readonly object[], options: FormatOptions = {}): ToolCall[] {
  options = checkOptions(options, { format: FORMAT }, 'openToolCalls')
  const history = neutralHistory(messages, options.format)
  const open = history.blocks().filter((block) => {
    return block.kind === 'tool-call' && !block.isPaired && !block.providerExecuted
  })
  return open.map((call) => ({
    id: call.callId ?? '',
    name: call.tool ?? '',
    arguments: argumentsText(call, history.textOf(call)),
  }))
}

/** Returns the arguments as the model wrote them; for a tool that takes text, as `input`. */
function argumentsText({ takesText }: BlockFacts, text: string): string {
  if (takesText) return JSON.stringify({ input: text })
  return text === '' ? '{}' : text
}

/**
 * Providers and frameworks have the arguments under other names, so without `arguments` it is a call of theirs: it must
 * not run as one without arguments.
 */
const CALL = dataKind<Pick<ToolCall, 'name' | 'arguments'>>(
  "a call as openToolCalls gives it, {id, name, arguments}, not the provider's own",
  (value) =>
    isRecord(value) &&
    typeof value.name === 'string' &&
    (typeof value.arguments === 'string' || isRecord(value.arguments)),
)

/** What is used of a tool, read once. */
function nameAndTool(given: unknown, at: number): Pick<Tool, 'name' | 'execute'> {
  const tool = check(`tools[${at}]`, given, OBJECT) as Tool
  const name = checkText(`tools[${at}].name`, tool.name)
  const execute = check(`tools[${at}].execute`, tool.execute, FUNCTION) as Tool['execute']
  return { name, execute: (args, options) => execute.call(tool, args, options) }
}

/**
 * Runs a call with the tool of that name. For an unknown tool, returns a result with an error.
 *
 * @throws {TrimtabError} `invalid_option` if the host passed invalid arguments.
 */
export async function runToolCall(
  tools: readonly Tool[],
  call: Pick<ToolCall, 'name' | 'arguments'>,
  options: ExecuteOptions = {},
): Promise<ToolResult> {
  options = checkOptions(options, { signal: SIGNAL }, 'runToolCall')
  const given = check('tools', tools, called(LIST, 'an array of tools: createTools(workspace)'))
  const asked = check('call', call, CALL)
  const named = given.map((tool, at) => readable(`tools[${at}]`, () => nameAndTool(tool, at)))
  const found = named.find(({ name }) => name === asked.name)
  if (found !== undefined) return found.execute(asked.arguments, options)
  const names = named.map(({ name }) => name).join(', ')
  return failed(`there is no tool ${JSON.stringify(asked.name)}. The tools are: ${names}.`)
}
