import { createTools, type Tool } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import type { Conversation } from './conversation.js'
import { sampleFiles } from './sample-files.js'
import { shellTool } from './shell-tool.js'

/** The tools of a conversation, on a new workspace with the sample's files. */
export function toolsFor(conversation: Conversation): readonly Tool[] {
  const workspace = createWorkspace({ memory: sampleFiles() })
  const context = { answerRecall: (args: unknown) => conversation.answerRecall(args) }
  return [...createTools(workspace, { context }), shellTool(workspace)]
}
