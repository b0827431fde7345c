import { readNeutral } from '../convert/index.js'
import type { Block, CallInput, File, NeutralPiece, ResultPart } from '../convert/neutral.js'
import { estimateTokens } from '../inlined.js'
import type { Format } from '../types.js'
import { FILE_TOKENS, imageTokens } from './image-tokens.js'

/** Estimated tokens by who they are from: kinds that one correction fits. */
export interface TokensBySource {
  /** What the model wrote: text, reasoning and calls. */
  answers: number
  /** What tools returned. */
  results: number
  /** What the user and the system said. */
  prompts: number
}

/** Tokens around a text: roles, names, the marks of calls and results. */
interface Overhead {
  message: number
  call: number
  result: number
}

/**
 * Claude's own form of a call is long (measured: some 50 tokens for a call and a dozen for a result); OpenAI names 3 to 4 tokens
 * for a message, and its calls are short. The other formats are sent to either.
 */
const OVERHEADS: Record<Format, Overhead> = {
  anthropic: { message: 4, call: 50, result: 12 },
  'openai-chat': { message: 4, call: 10, result: 4 },
  'openai-responses': { message: 4, call: 10, result: 4 },
  gemini: { message: 4, call: 10, result: 4 },
  'ai-sdk': { message: 4, call: 25, result: 8 },
  'ai-sdk-ui': { message: 4, call: 25, result: 8 },
  langchain: { message: 4, call: 25, result: 8 },
}

/**
 * Estimated tokens of each message, by kind of text and with what its format puts around it. Finer than the engine's own
 * figures, which go by length alone, and slower: each text is looked at.
 */
export function estimateMessages(messages: readonly object[], format: Format): TokensBySource[] {
  const estimates = messages.map((): TokensBySource => ({ answers: 0, results: 0, prompts: 0 }))
  for (const piece of readNeutral(messages, format)) {
    const estimate = estimates[piece.at]
    if (estimate !== undefined) add(estimate, piece, format)
  }
  return estimates
}

function add(estimate: TokensBySource, piece: NeutralPiece, format: Format): void {
  const overhead = OVERHEADS[format]
  if (piece.kind === 'result') {
    estimate.results += overhead.result + sum(piece.value.parts.map((part) => partTokens(part, format)))
    return
  }
  const source = piece.kind === 'assistant' ? 'answers' : 'prompts'
  estimate[source] += overhead.message + sum(piece.value.blocks.map((block) => blockTokens(block, format)))
}

function blockTokens(block: Block, format: Format): number {
  if (block.kind === 'call')
    return OVERHEADS[format].call + estimateTokens(block.name) + inputTokens(block.input)
  if (block.kind === 'file') return fileTokens(block, format)
  if (block.kind === 'server-tool') return jsonTokens(block.input) + jsonTokens(block.result)
  return estimateTokens(block.text)
}

function partTokens(part: ResultPart, format: Format): number {
  if (part.kind === 'json') return jsonTokens(part.value)
  return part.kind === 'file' ? fileTokens(part, format) : estimateTokens(part.text)
}

function inputTokens(input: CallInput): number {
  return input.form === 'value' ? jsonTokens(input.value) : estimateTokens(input.text)
}

function fileTokens({ data, mediaType, text }: File, format: Format): number {
  if (text !== undefined) return estimateTokens(text)
  return data !== undefined && mediaType.startsWith('image/') ? imageTokens(data, format) : FILE_TOKENS
}

function jsonTokens(value: unknown): number {
  return value === undefined ? 0 : estimateTokens(JSON.stringify(value) ?? '')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
