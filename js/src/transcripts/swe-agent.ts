import { asArray, asRecord, asString, isRecord, type JsonRecord, recordsOf } from '../base/json.js'
import { arrange, type Piece } from '../formats/arrange.js'
import type { Losses } from '../formats/lost.js'
import { REASONING_FIELDS } from '../formats/openai-chat.js'
import { toChatMessages } from '../formats/provider-messages.js'
import { parsePythonLiteral } from './python-literal.js'
import type { SkipLog } from './skip-log.js'
import type { Transcript } from './types.js'
import { type AgentWriter, jsonOf } from './writing.js'

/**
 * Reads SWE-agent trajectories: one JSON document with a `history`. A tool result has `tool_call_ids: [id]`, ids are
 * reused for later calls, and some files contain calls, arguments or whole messages in Python syntax.
 */
export function readSweAgent(history: readonly unknown[], skipped: SkipLog): Omit<Transcript, 'skipped'> {
  const pieces = history.flatMap((entry, index) => piecesOf(entry, index + 1, skipped))
  const arranged = arrange(pieces, (at) => skipped.add('second result of the same call', at))
  return { kind: 'swe-agent', format: 'openai-chat', messages: toChatMessages(arranged) }
}

function piecesOf(entry: unknown, at: number, skipped: SkipLog): Piece<JsonRecord, JsonRecord, JsonRecord>[] {
  const message = asRecord(fromPython(entry, isRecord))
  if (message === undefined) {
    skipped.add('not an object', at)
    return []
  }
  const content = contentOf(message.content)
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ kind: 'other', value: { role: message.role, content: content ?? '', ...named(message) }, at }]
    case 'assistant':
      return assistant(message, content, at, skipped)
    case 'tool': {
      const callId = asString(asArray(message.tool_call_ids)[0]) ?? asString(message.tool_call_id) ?? ''
      const value = { role: 'tool', tool_call_id: callId, content: content ?? '', ...named(message) }
      return [{ kind: 'result', value, callId, at }]
    }
    default:
      skipped.add(`unknown role ${JSON.stringify(message.role ?? null)}`, at)
      return []
  }
}

function assistant(
  message: JsonRecord,
  content: unknown,
  at: number,
  skipped: SkipLog,
): Piece<JsonRecord, JsonRecord, JsonRecord>[] {
  const calls = recordsOf(fromPython(message.tool_calls, Array.isArray)).map(toolCall)
  const kept = fieldsOf(message, OF_ANSWERS)
  if (calls.length === 0 && (content === undefined || content === '') && kept.refusal === undefined) {
    skipped.add('empty message', at)
    return []
  }
  const value: JsonRecord = { role: 'assistant', content: content ?? null, ...kept }
  if (calls.length > 0) value.tool_calls = calls
  return [{ kind: 'assistant', value, callIds: calls.map((call) => call.id), at }]
}

/** Fields of chat messages beside content and calls, by which models and people are told apart. */
const NAMED = ['name']
/** Fields of a chat answer beside content and calls. */
const OF_ANSWERS = [...NAMED, 'refusal', 'annotations', 'audio', ...REASONING_FIELDS]

const named = (message: JsonRecord): JsonRecord => fieldsOf(message, NAMED)

/** The fields of a message that are there; those of the agent's own are not of the chat format. */
function fieldsOf(message: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(
    names.flatMap((name) =>
      message[name] === undefined || message[name] === null ? [] : [[name, message[name]]],
    ),
  )
}

function toolCall(stored: JsonRecord): { id: string; type: 'function'; function: JsonRecord } {
  const called = asRecord(fromPython(stored.function, isRecord)) ?? {}
  return {
    id: asString(stored.id) ?? '',
    type: 'function',
    function: { name: asString(called.name) ?? '', arguments: argumentText(called.arguments) },
  }
}

/**
 * Returns arguments as JSON text, as providers expect. Text that is neither JSON nor Python stays as the model wrote
 * it.
 */
function argumentText(stored: unknown): string {
  if (typeof stored !== 'string') return JSON.stringify(stored ?? {})
  if (isJson(stored)) return stored
  const value = parsePythonLiteral(stored)
  return isRecord(value) ? JSON.stringify(value) : stored
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the value, or the value of its text as a Python literal, if that has the expected shape. */
function fromPython(value: unknown, wanted: (value: unknown) => boolean): unknown {
  if (typeof value !== 'string') return value
  const parsed = parsePythonLiteral(value)
  return wanted(parsed) ? parsed : undefined
}

/** Text, or a list of parts; their `cache_control` is of the agent's run, not of the chat format. */
function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return asString(content)
  return recordsOf(content).map(({ cache_control: _cacheControl, ...part }) => part)
}

/** Writes a trajectory without steps: the messages are in its `history` only. */
export const sweAgentWriter: AgentWriter = {
  format: 'openai-chat',
  keeps: true,
  extension: 'traj',
  holds: ['system'],
  write({ turns, losses }) {
    const history = turns.flatMap(({ at, messages }) => messages.flatMap((one) => entryOf(one, at, losses)))
    return jsonOf({ trajectory: [], history, info: {} }, 2)
  },
}

const TYPES = new Map([
  ['system', 'system_prompt'],
  ['user', 'observation'],
  ['assistant', 'action'],
  ['tool', 'observation'],
])

function entryOf(message: JsonRecord, at: number, losses: Losses): JsonRecord[] {
  const { tool_call_id: id, tool_calls: called, ...said } = message
  const role = message.role === 'developer' ? 'system' : message.role
  const type = TYPES.get(asString(role) ?? '')
  if (type === undefined) return losses.role(at, message)
  const read = role === 'assistant' ? OF_ANSWERS : NAMED
  losses.unread(at, said, ['role', 'content', ...read], 'a message (for SWE-agent only: not read back)')
  const entry = { ...said, role, agent: 'main', message_type: type }
  if (role === 'tool') return [{ ...entry, tool_call_ids: [id] }]
  if (role !== 'assistant') return [entry]
  const calls = recordsOf(called).map((call) => functionOf(call, at, losses))
  const action = calls.map((call) => `${call.function.name} ${call.function.arguments}`).join('\n')
  const made = calls.length === 0 ? {} : { tool_calls: calls }
  return [{ ...entry, thought: asString(said.content) ?? '', action, ...made }]
}

/** SWE-agent has calls of functions only. */
function functionOf(call: JsonRecord, at: number, losses: Losses): JsonRecord & { function: JsonRecord } {
  const custom = asRecord(call.custom)
  if (custom === undefined) return { ...call, function: asRecord(call.function) ?? {} }
  losses.add(at, 'form of a free input (now an argument "input")')
  const args = JSON.stringify({ input: custom.input })
  return { id: call.id, type: 'function', function: { name: custom.name, arguments: args } }
}
