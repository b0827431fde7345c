import { checkOptions, isList, refuse, TEXT, TEXTS } from '../base/check.js'
import { given, isRecord } from '../base/json.js'
import type { ClearPolicy } from '../generated/types.js'

const CLEAR_TOOL_USES = {
  type: TEXT,
  trigger: null,
  keep: null,
  clear_at_least: null,
  exclude_tools: TEXTS,
  clear_tool_inputs: null,
}

/**
 * Reads Anthropic's `context_management`, as in document "Memory and Context Editing". Returns the clear pass
 * of its first clearing edit, and the types of the other edits.
 */
export function clearOfEdits(settings: unknown): { clear?: ClearPolicy; ignored: string[] } {
  const listed = settings === undefined ? [] : isRecord(settings) ? (settings.edits ?? []) : undefined
  if (!isList(listed))
    refuse('context_management', 'an object with a list `edits`', settings, 'invalid_policy')
  // Not the list itself, whose methods leave out holes.
  const edits = Array.from(listed)
  const typeOf = (edit: unknown) => (isRecord(edit) ? String(edit.type) : 'edits')
  const isClear = (edit: unknown): edit is object => typeOf(edit).startsWith('clear_tool_uses_')
  const first = edits.find(isClear)
  const ignored = edits.filter((edit) => edit === undefined || edit !== first).map(typeOf)
  return { ...(first !== undefined && { clear: clearOf(first) }), ignored }
}

function clearOf(edit: object): ClearPolicy {
  edit = checkOptions(edit, CLEAR_TOOL_USES, 'clear_tool_uses', 'invalid_policy')
  const { trigger, keep, ...others } = edit as {
    trigger?: ClearPolicy['trigger']
    keep?: ClearPolicy['keep']
    clear_at_least?: ClearPolicy['clearAtLeast']
    exclude_tools?: string[]
    clear_tool_inputs?: boolean | string[]
  }
  // Absent settings get the engine's defaults, which are Anthropic's.
  return given({
    trigger,
    keep,
    clearAtLeast: others.clear_at_least,
    excludeTools: others.exclude_tools,
    clearToolInputs: others.clear_tool_inputs,
  })
}
