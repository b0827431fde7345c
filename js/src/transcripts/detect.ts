import { type JsonRecord, recordsOf } from '../base/json.js'
import { isBareItem } from '../formats/openai-responses.js'
import { isLogged } from './api-log.js'
import { formatOf } from './message-format.js'
import { AGENT_FILES, AGENT_KINDS, type AgentKind } from './registry.js'
import type { RecordAt } from './types.js'

/** Kind of a file of records. The provider of plain messages is detected from all of them together. */
export type RecordKind = AgentKind | 'messages' | 'api-log'

const CODEX_CONTENT = new Set(['input_text', 'output_text', 'input_image'])

/** Returns the kind that most records match. Each record matches at most one kind, by its shape alone. */
export function detectRecords(records: readonly RecordAt[]): RecordKind | undefined {
  const votes = new Map<RecordKind, number>()
  for (const { value } of records) {
    const kind = kindOf(value)
    if (kind !== undefined) votes.set(kind, (votes.get(kind) ?? 0) + 1)
  }
  let best: RecordKind | undefined
  for (const [kind, count] of votes) {
    if (best === undefined || count > (votes.get(best) ?? 0)) best = kind
  }
  return best
}

function kindOf(value: JsonRecord): RecordKind | undefined {
  const { type } = value
  if (isLogged(value)) return 'api-log'
  const agent = AGENT_KINDS.find((kind) => AGENT_FILES[kind].recognises(value))
  if (agent !== undefined) return agent
  if (type === 'user' || type === 'assistant') return undefined
  if (typeof value.role === 'string' && 'content' in value)
    return isCodexMessage(value) ? 'codex' : 'messages'
  if (typeof value.role === 'string' && Array.isArray(value.tool_calls)) return 'messages'
  if (type !== 'message' && isBareItem(value)) return 'codex'
  return formatOf(value) === undefined && !Array.isArray(value.parts) ? undefined : 'messages'
}

/** Items of the Responses API and messages of Anthropic both have `type: "message"`; their contents differ. */
function isCodexMessage(value: JsonRecord): boolean {
  const contents = recordsOf(value.content)
  return value.type === 'message' && contents.some((item) => CODEX_CONTENT.has(String(item.type)))
}
