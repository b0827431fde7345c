import { RECALL, recallTool } from '../history/recall.js'

/** The used part of a tool's definition. */
interface Definition {
  name?: string
  description?: unknown
}

/**
 * The name of the tool `recall` among the tools of a request; `undefined` if it is not offered. The host may have given
 * it another name, so its description is compared first.
 */
export function recallNameIn(tools: readonly Definition[]): string | undefined {
  const { description } = recallTool()
  return (tools.find((tool) => tool.description === description) ?? tools.find(({ name }) => name === RECALL))
    ?.name
}
