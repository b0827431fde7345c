import { cut } from '../base/text.js'
import type { ReadResult } from '../generated/types.js'
import type { ToolDefinition } from '../history/recall.js'
import type { NotIndexed } from '../reading/read-index.js'
import type { FileView } from '../reading/view.js'

/** The result of a tool. (A type alias, so that it is assignable to the result of `processToolResult`, which takes any fields.) */
export type ToolResult = {
  /** What the model reads. */
  content: string
  /** Whether the tool did not do what it was called for; `content` then says why and what to do. */
  isError: boolean
  /** Whether the content is to leave the conversation after the turn. */
  ephemeral: boolean
  /** Of the read tool: what was read, with the document's field names. */
  read?: ReadResult
  /** Of the read tool with a reader: the views, with what a model thought. */
  views?: FileView[]
  /** With an index: files that this call read or changed and that are not in it, and why. */
  notIndexed?: NotIndexed[]
}

/** Options of {@link Tool.execute}. */
export interface ExecuteOptions {
  /** Stops a search through many files. */
  signal?: AbortSignal
}

/** A tool for any agent framework: its description for the model, and its function. */
export interface Tool extends ToolDefinition {
  /**
   * Does what the model asked for. What the model did wrong (arguments, paths, lines) and what a disk refused is a result
   * with `isError`, never an exception.
   *
   * @param args The arguments as an object, or as the JSON text that some providers give.
   */
  execute(args: unknown, options?: ExecuteOptions): Promise<ToolResult>
}

export const done = (content: string): ToolResult => ({ content, isError: false, ephemeral: false })

/** UTF-16 units of a refusal: names and paths in it may be of any length. */
const MOST_WORDS = 6000

/** @param reason What is wrong and what to do; begins with `Error: ` when it is shown. */
export function failed(reason: string): ToolResult {
  const words = reason.startsWith('Error: ') ? reason : `Error: ${reason}`
  const content = words.length <= MOST_WORDS ? words : `${cut(words, MOST_WORDS)}…`
  return { content, isError: true, ephemeral: false }
}
