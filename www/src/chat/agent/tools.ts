import { AGENT_INSTRUCTIONS, createTools, type Tool } from 'trimtab/tools'
import { createWorkspace, type Workspace } from 'trimtab/workspace'
import type { Conversation } from './conversation.js'
import { sampleFiles } from './sample-files.js'
import { shellTool } from './shell-tool.js'

/** Texts of files, by path. */
export type Files = Readonly<Record<string, string>>

const SYSTEM = `You are a coding agent in a web page. The workspace is a small project that lives in the user's browser tab; there is no other shell than the tool of that name. Do what the user asks with the tools, then say in a few sentences of Markdown what you did and found.

${AGENT_INSTRUCTIONS}`

/** What an agent works with. */
export interface Workbench {
  readonly tools: readonly Tool[]
  /** The system prompt of a model that works with them. */
  readonly system: string
  /** The files that are not as the sample has them. */
  changedFiles(): Promise<Files>
}

/** The tools of a conversation, on a workspace of its own: the sample's files, and what was changed in them before. */
export function workbenchFor(conversation: Conversation, changed: Files = {}): Workbench {
  const sample = sampleFiles()
  const workspace = createWorkspace({ memory: { ...sample, ...changed } })
  const context = { answerRecall: (args: unknown) => conversation.answerRecall(args) }
  return {
    tools: [...createTools(workspace, { context }), shellTool(workspace)],
    system: SYSTEM,
    async changedFiles() {
      const files: Record<string, string> = {}
      for await (const [path, text] of textsIn(workspace, '.')) {
        if (sample[path] !== text) files[path] = text
      }
      return files
    },
  }
}

async function* textsIn(workspace: Workspace, folder: string): AsyncGenerator<[path: string, text: string]> {
  for (const { path, kind } of await workspace.list(folder)) {
    if (kind === 'folder') yield* textsIn(workspace, path)
    else {
      const { bytes } = await workspace.readFile(path, { track: false })
      yield [path, new TextDecoder().decode(bytes)]
    }
  }
}
