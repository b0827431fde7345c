import { shortened } from '../base/text.js'
import { BYTES_PER_TOKEN } from '../generated/protocol.js'
import type { ReadResult } from '../generated/types.js'
import type { ToolDefinition } from '../history/recall.js'
import type { NotIndexed } from '../reading/read-index.js'
import type { FileView } from '../reading/view.js'
import { utf8Length } from '../tokens/byte-estimate.js'

/**
 * Result of a tool. (A type alias, so that it is assignable to the result of `processToolResult`, which takes any
 * fields.)
 */
export type ToolResult = {
  /** Text for the model. */
  content: string
  /** Whether the tool failed; `content` then says why, and what to do. */
  isError: boolean
  /** Whether the content leaves the conversation after the turn. */
  ephemeral: boolean
  /** Read tool only: what was read, with the document's field names. */
  read?: ReadResult
  /** Read tool with a reader only: the views, with a model's thinking. */
  views?: FileView[]
  /** With an index: files that this call read or changed and that could not be indexed, and why. */
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
   * Runs the tool. Errors of the model (arguments, paths, lines) and of the disk are returned as a result with
   * `isError`, never thrown.
   *
   * @param args The arguments as an object, or as JSON text, which some providers return.
   */
  execute(args: unknown, options?: ExecuteOptions): Promise<ToolResult>
}

export const done = (content: string): ToolResult => ({ content, isError: false, ephemeral: false })

/** UTF-8 bytes of a UTF-16 unit. */
const MOST_BYTES_OF_UNIT = 3

/** Maximum UTF-16 units of an error message: names and paths in it may have any length. */
const MOST_WORDS = 6000

/** @param reason What is wrong and what to do; the result starts with `Error: `. */
export function failed(reason: string): ToolResult {
  const words = reason.startsWith('Error: ') ? reason : `Error: ${reason}`
  const content = shortened(words, MOST_WORDS)
  return { content, isError: true, ephemeral: false }
}

/** UTF-16 units that an error message may always have. */
const LEAST_WORDS = 300

/** Cuts error messages that exceed the limit of a read: a section's names may fill a small window. */
export function withShortErrors(tool: Tool, maxTokens: number): Tool {
  const most = maxTokens * BYTES_PER_TOKEN
  return {
    ...tool,
    async execute(args, options) {
      const result = await tool.execute(args, options)
      if (!result.isError || utf8Length(result.content) <= most) return result
      const units = Math.max(LEAST_WORDS, Math.floor(most / MOST_BYTES_OF_UNIT) - 1)
      return { ...result, content: shortened(result.content, units) }
    },
  }
}
