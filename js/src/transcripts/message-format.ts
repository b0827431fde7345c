import { asString, isRecord, type JsonRecord, recordsOf } from '../base/json.js'
import type { Format } from '../generated/types.js'
import { isBareItem } from './codex.js'

/** How messages of a format are called in errors. */
export const FORMAT_NAMES: Record<Format, string> = {
  'openai-chat': "OpenAI's",
  'openai-responses': "the Responses API's",
  anthropic: "Anthropic's",
  'ai-sdk': "the AI SDK's ModelMessage",
  'ai-sdk-ui': "the AI SDK's UIMessage",
  gemini: "Gemini's",
  langchain: "LangChain's",
}

/** Parts of content that only one format has. */
const PARTS = new Map<string, Format>([
  ['image_url', 'openai-chat'],
  ['refusal', 'openai-chat'],
  ['input_text', 'openai-responses'],
  ['output_text', 'openai-responses'],
  ['input_image', 'openai-responses'],
  ['input_file', 'openai-responses'],
  ['tool_use', 'anthropic'],
  ['tool_result', 'anthropic'],
  ['thinking', 'anthropic'],
  ['redacted_thinking', 'anthropic'],
  ['document', 'anthropic'],
  ['server_tool_use', 'anthropic'],
  ['tool-call', 'ai-sdk'],
  ['tool-result', 'ai-sdk'],
  ['tool-approval-request', 'ai-sdk'],
  ['tool-approval-response', 'ai-sdk'],
  ['reasoning', 'ai-sdk'],
])

/** The format that a message can only be of; none where it fits several, or is no message. */
export function formatOf(message: JsonRecord): Format | undefined {
  const { parts, role, tool_calls: calls } = message
  if (isLangChain(message)) return 'langchain'
  if (Array.isArray(parts)) return formatOfParts(recordsOf(parts), role)
  if (typeof role !== 'string') return isItem(message) ? 'openai-responses' : undefined
  const types = recordsOf(message.content).map(formatOfPart)
  const found = types.find((format) => format !== undefined)
  if (found !== undefined && role !== 'function') return found
  const isChat =
    role === 'tool' || role === 'function' || Array.isArray(calls) || isRecord(message.function_call)
  return isChat ? 'openai-chat' : undefined
}

function formatOfPart(part: JsonRecord): Format | undefined {
  const type = asString(part.type) ?? ''
  if (type === 'image')
    return isRecord(part.source) ? 'anthropic' : part.image === undefined ? undefined : 'ai-sdk'
  if (type === 'file')
    return isRecord(part.file) ? 'openai-chat' : part.mediaType === undefined ? undefined : 'ai-sdk'
  return PARTS.get(type)
}

/** A Gemini part says by its field what it is, an AI SDK part by its type. */
function formatOfParts(parts: readonly JsonRecord[], role: unknown): Format | undefined {
  const isTyped = parts.some(({ type }) => typeof type === 'string')
  if (isTyped) return 'ai-sdk-ui'
  if (role === 'model' || parts.length > 0) return 'gemini'
  return role === undefined ? undefined : 'ai-sdk-ui'
}

const LANGCHAIN_TYPES = new Set([
  'human',
  'ai',
  'system',
  'developer',
  'tool',
  'function',
  'generic',
  'remove',
])

/** `{type, content}`, `{type, data: {content}}` or what LangChain's own serialisation writes. */
function isLangChain({ content, data, id, kwargs, role, type, uuid }: JsonRecord): boolean {
  if (type === 'constructor') return isRecord(kwargs) && Array.isArray(id)
  if (!LANGCHAIN_TYPES.has(asString(type) ?? '') || (role !== undefined && type !== 'generic')) return false
  // Claude Code has system lines of its own.
  return uuid === undefined && (content !== undefined || isRecord(data))
}

const OTHER_ITEMS = new Set([
  'item_reference',
  'compaction',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
])

function isItem(message: JsonRecord): boolean {
  return isBareItem(message) || OTHER_ITEMS.has(asString(message.type) ?? '')
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Why a message cannot be one of `format`, in words; none where it can. */
export function misfit(message: JsonRecord, format: Format): string | undefined {
  const { parts, role } = message
  const isKnown = ROLES.has(asString(role) ?? '')
  switch (format) {
    case 'langchain':
      return isLangChain(message) && message.type !== 'remove' ? undefined : 'no LangChain message'
    case 'gemini':
      if (!Array.isArray(parts)) return 'no Gemini content (no "parts")'
      return role === undefined || isKnown || role === 'model' ? undefined : unknownRole(role)
    case 'ai-sdk-ui':
      if (!Array.isArray(parts)) return 'no UIMessage (no "parts")'
      return isKnown ? undefined : unknownRole(role)
    case 'openai-responses':
      return isKnown || typeof message.type === 'string' ? undefined : 'no item of the Responses API'
    default:
      return isKnown ? undefined : unknownRole(role)
  }
}

function unknownRole(role: unknown): string {
  return `unknown role ${JSON.stringify(role ?? null)}`
}
