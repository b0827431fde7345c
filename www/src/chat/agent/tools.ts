import { AGENT_INSTRUCTIONS, createTools, type Tool } from 'trimtab/tools'
import type { Conversation } from './conversation.js'
import type { Place } from './places.js'
import { shellTool } from './shell-tool.js'

const systemOf = ({ about }: Place) =>
  `You are a coding agent in a web page. ${about} There is no other shell than the tool of that name. Do what the user asks with the tools, then say in a few sentences of Markdown what you did and found.

${AGENT_INSTRUCTIONS}`

/** The files and tools of an agent. */
export interface Workbench {
  readonly place: Place
  readonly tools: readonly Tool[]
  /** The system prompt for a model that uses them. */
  readonly system: string
}

/** Creates the tools of a conversation for the files of a place. */
export function workbenchFor(conversation: Conversation, place: Place): Workbench {
  const { workspace } = place
  const context = { answerRecall: (args: unknown) => conversation.answerRecall(args) }
  return {
    place,
    tools: [...createTools(workspace, { context }), shellTool(workspace)],
    system: systemOf(place),
  }
}
