import { AGENT_INSTRUCTIONS, createTools, type Tool } from 'trimtab/tools'
import type { Conversation } from './conversation.js'
import type { Place } from './places.js'
import { shellTool } from './shell-tool.js'

const systemOf = ({ about }: Place) =>
  `You are a coding agent in a web page. ${about} There is no other shell than the tool of that name. Do what the user asks with the tools, then say in a few sentences of Markdown what you did and found.

${AGENT_INSTRUCTIONS}`

/** What an agent works with. */
export interface Workbench {
  readonly place: Place
  readonly tools: readonly Tool[]
  /** The system prompt of a model that works with them. */
  readonly system: string
}

/** The tools of a conversation, on the files of a place. */
export function workbenchFor(conversation: Conversation, place: Place): Workbench {
  const { workspace } = place
  const context = { answerRecall: (args: unknown) => conversation.answerRecall(args) }
  return {
    place,
    tools: [...createTools(workspace, { context }), shellTool(workspace)],
    system: systemOf(place),
  }
}
