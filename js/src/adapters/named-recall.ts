import { RECALL, recallTool } from '../history/recall.js'

/** The tools of a request, with `recall` under its own name: the host may have given it another one. */
export function namedRecall(tools: readonly object[]): readonly object[] {
  const { description } = recallTool()
  return tools.map((tool) =>
    (tool as { description?: unknown }).description === description ? { name: RECALL } : tool,
  )
}
