import {
  called,
  check,
  checkMessages,
  checkOptions,
  kind,
  readable,
  refuse,
  refuseWith,
  TEXT,
} from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import { FORMAT } from '../base/format.js'
import { historyFor } from './histories.js'
import { type Original, originalOf } from './lookups.js'
import type { FormatOptions } from './types.js'

/** Lines of an original to return. */
export interface RecallRange {
  /** The first line, from 1; a negative one counts from the end. Default 1. */
  offset?: number | undefined
  /** Maximum number of lines. Default: all. */
  limit?: number | undefined
  /**
   * Only lines that contain this text or match this expression. Applied before `offset` and `limit`. An expression runs
   * without a time limit, so make none of what a model wrote.
   */
  pattern?: string | RegExp | undefined
}

/** The original of a cleared result. */
export interface Recalled {
  /** The position of its message in the history. */
  message: number
  /** The tool's name; empty if unknown. */
  tool: string
  /** The file, if the call named one. */
  path: string | null
  /** The requested lines, unchanged. The parts of a list are joined by line feeds. */
  text: string
  /**
   * The complete content of the result, as the host's own value: if `isText` is false, images and files in
   * the provider's form.
   */
  content: unknown
  /** Whether the result is text alone. */
  isText: boolean
  /** The numbers of the returned lines in the original, from 1. */
  lines: number[]
  /** Number of lines of the original. */
  totalLines: number
}

/**
 * Returns the original of a cleared or clipped result from the history, by the reference in its stub (`recall
 * 3f9a1c20`). The reference is part of the digest of the content, which is verified.
 *
 * @param messages The history, not a view of it.
 * @param reference The 8 digits, or the stub that contains them.
 * @throws {TrimtabError} `not_recallable` with the reason, if nothing is found; `invalid_option`; as `project`.
 */
export function recall(
  messages: readonly object[],
  reference: string,
  options: RecallRange & FormatOptions = {},
): Recalled {
  messages = checkMessages(messages)
  options = checkOptions(options, { ...RANGE, format: FORMAT }, 'recall')
  const digits = referenceIn(reference)
  return linesOf(originalOf(historyFor(messages, options.format), messages, digits), options)
}

const LINES = kind<number>('a whole number of lines', Number.isInteger)
const PATTERN = kind<string | RegExp>(
  'a string or a regular expression',
  (value) => typeof value === 'string' || value instanceof RegExp,
)
/** The options of {@link RecallRange}. */
export const RANGE = { offset: LINES, limit: LINES, pattern: PATTERN }

/** The digits of a reference, which may be given as the stub that contains them. */
export function referenceIn(reference: unknown): string {
  const text = check('reference', reference, called(TEXT, 'a string as a stub carries it'))
  return /\brecall ([0-9a-f]{8})\b/i.exec(text)?.[1] ?? text.trim()
}

/** Returns the requested lines of an original. */
export function linesOf(original: Original, range: RecallRange): Recalled {
  const { message, tool, path, text, content, isText } = original
  const all = text.split('\n')
  const ends = text.endsWith('\n')
  const totalLines = text === '' ? 0 : all.length - (ends ? 1 : 0)
  const matches = matcher(range.pattern)
  const numbers: number[] = []
  for (let i = 0; i < totalLines; i++) if (matches(all[i] as string)) numbers.push(i + 1)
  const offset = range.offset ?? 1
  const limit = range.limit === undefined ? numbers.length : Math.max(0, range.limit)
  const first = offset < 0 ? Math.max(0, numbers.length + offset) : Math.max(0, offset - 1)
  const lines = numbers.slice(first, first + limit)
  const isWhole = lines.length === totalLines
  return {
    message,
    tool,
    path,
    text: isWhole ? text : lines.map((line) => all[line - 1]).join('\n'),
    content,
    isText,
    lines,
    totalLines,
  }
}

function matcher(pattern: string | RegExp | undefined): (line: string) => boolean {
  if (pattern === undefined) return () => true
  if (typeof pattern === 'string') return (line) => line.includes(pattern)
  // A sticky or global expression would keep its `lastIndex` between lines.
  const expression = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''))
  return (line) => expression.test(line)
}

/** A tool definition, in the form common to agent frameworks. */
export interface ToolDefinition {
  name: string
  description: string
  /** The JSON Schema of its arguments. */
  parameters: ToolParameters
}

/** The JSON Schema of an object. (A type alias, so that it is assignable to the record type that OpenAI's types require.) */
export type ToolParameters = {
  type: 'object'
  properties: Record<string, object>
  required: string[]
  additionalProperties: boolean
}

/** The entry for {@link recallTool} in a provider's `tools`, by the format of the messages. */
export interface ProviderRecallTools {
  'openai-chat': { type: 'function'; function: ToolDefinition }
  'openai-responses': ToolDefinition & { type: 'function'; strict: false }
  anthropic: { name: string; description: string; input_schema: ToolParameters }
  gemini: {
    functionDeclarations: { name: string; description: string; parametersJsonSchema: ToolParameters }[]
  }
}

/**
 * Returns the tool with which the model retrieves cleared results. Give it to the model if stubs contain
 * references.
 */
export function recallTool(): ToolDefinition
/**
 * Returns the same tool as an entry of the provider's `tools`.
 *
 * @param format The format of the messages; for frameworks, use their entry points (`trimtab/ai-sdk` and others).
 * @throws {TrimtabError} `invalid_option`.
 */
export function recallTool<F extends keyof ProviderRecallTools>(format: F): ProviderRecallTools[F]
export function recallTool(
  format?: keyof ProviderRecallTools,
): ToolDefinition | ProviderRecallTools[keyof ProviderRecallTools] {
  const { name, description, parameters } = DEFINITION
  const tool = { name, description, parameters: structuredClone(parameters) }
  switch (format) {
    case undefined:
      return tool
    case 'openai-chat':
      return { type: 'function', function: tool }
    case 'openai-responses':
      return { type: 'function', ...tool, strict: false }
    case 'anthropic':
      return { name, description, input_schema: tool.parameters }
    case 'gemini':
      return { functionDeclarations: [{ name, description, parametersJsonSchema: tool.parameters }] }
    default:
      return refuse('format', 'openai-chat, openai-responses, anthropic or gemini', format)
  }
}

/** The tool's name. */
export const RECALL = 'recall'

const DEFINITION: ToolDefinition = {
  name: RECALL,
  description:
    'Gives back an earlier tool result that was cleared to save context. Where a result was there is now a short note such as "[cleared src/app.ts, 4521 chars; recall 3f9a1c20]": pass the 8 digits. Use offset, limit or pattern to get only the lines that are needed.',
  parameters: {
    type: 'object',
    properties: {
      reference: { type: 'string', description: 'The 8 digits behind "recall" in the note.' },
      offset: { type: 'integer', description: 'First line, from 1; negative counts from the end.' },
      limit: { type: 'integer', description: 'How many lines at most.' },
      pattern: { type: 'string', description: 'Only lines that contain this text.' },
    },
    required: ['reference'],
    additionalProperties: false,
  },
}

/**
 * Answers a call of {@link recallTool}. A mistake of the model is answered with an error text instead of an
 * exception, so that the model can read it.
 *
 * @param args The arguments, as an object or as the JSON text that some providers return.
 * @returns A text. For a result with images or files, if no lines were requested, its complete content as in
 *   its message: a list of the provider's own parts, or the object that its format has instead.
 */
export function answerRecall(
  recallBy: (reference: string, range: RecallRange) => Recalled,
  args: unknown,
): string | object {
  try {
    const { reference, ...range } = readable('args', () => readArguments(args))
    const found = recallBy(reference, range)
    if (!found.isText && Object.keys(range).length === 0) return found.content as object
    if (found.lines.length === found.totalLines) return found.text
    if (found.lines.length > 0) return `[${found.lines.length} of ${found.totalLines} lines]\n${found.text}`
    return range.pattern === undefined
      ? `None of the ${found.totalLines} lines: offset counts them from 1, and limit is at least 1.`
      : `No line of the ${found.totalLines} matches.`
  } catch (error) {
    if (error instanceof TrimtabError) return `Error: ${error.message}`
    throw error
  }
}

/**
 * The answer of {@link answerRecall} where tool results are texts; an error text for content with images or
 * files.
 */
export function recallText(answer: string | object): string {
  return typeof answer === 'string' ? answer : HOLDS_FILES
}

const HOLDS_FILES =
  'Error: the result holds images or files, which cannot be shown again here. Run the tool again, or pass offset: 1 for its text.'

/**
 * Parses the arguments leniently where the meaning is clear: `null` for absent, a number as text, the stub
 * instead of its digits.
 */
function readArguments(args: unknown): { reference: string } & RecallRange {
  const { reference, offset, limit, pattern } = objectOf(args)
  const range: RecallRange = {}
  if (isThere(offset)) range.offset = numberOf(offset)
  if (isThere(limit)) range.limit = numberOf(limit)
  if (isThere(pattern)) range.pattern = pattern as string
  return { reference: referenceIn(reference), ...range }
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null

const numberOf = (value: unknown): number =>
  typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : (value as number)

function objectOf(args: unknown): Record<string, unknown> {
  let value = args
  if (typeof args === 'string') {
    // Eight digits may also parse as a JSON number, but are a reference, as is a stub that contains them.
    if (!args.trimStart().startsWith('{') && /^\s*[0-9a-f]{8}\s*$|\brecall [0-9a-f]{8}\b/i.test(args))
      return { reference: args }
    try {
      value = JSON.parse(args)
    } catch {
      return refuseWith('args', 'the arguments must be a JSON object with `reference`')
    }
  }
  return (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
}
