import { TrimtabError } from '../base/error.js'
import { shortened, wellFormed } from '../base/text.js'
import type { ReadResult } from '../generated/types.js'
import type { ToolDefinition } from '../history/recall.js'
import type { NotIndexed } from '../reading/read-index.js'
import type { FileView } from '../reading/view.js'
import type { TokenBudget } from './token-budget.js'

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
  signal?: AbortSignal | undefined
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

export const done = (content: string): ToolResult => ({
  content: wellFormed(content),
  isError: false,
  ephemeral: false,
})

/** Maximum UTF-16 units of an error message: names and paths in it may have any length. */
const MOST_WORDS = 6000

/** @param reason What is wrong and what to do; the result starts with `Error: `. */
export function failed(reason: string): ToolResult {
  const words = reason.startsWith('Error: ') ? reason : `Error: ${reason}`
  const content = shortened(wellFormed(words), MOST_WORDS)
  return { content, isError: true, ephemeral: false }
}

/** Cuts error messages that exceed the limit of a read: a section's names may fill a small window. */
export function withShortErrors(tool: Tool, budget: TokenBudget): Tool {
  return shortenedBy(tool, (result) => (result.isError ? budget : undefined))
}

/** Cuts the answers of a tool for which `budgetOf` returns a budget. */
export function shortenedBy(tool: Tool, budgetOf: (result: ToolResult) => TokenBudget | undefined): Tool {
  return {
    ...tool,
    async execute(args, options) {
      const result = await tool.execute(args, options)
      try {
        const content = budgetOf(result)?.start(result.content) ?? result.content
        return { ...result, content }
      } catch (error) {
        // The host's counter returned no number: the result is an error that says so.
        if (error instanceof TrimtabError) return result
        throw error
      }
    },
  }
}
