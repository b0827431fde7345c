import { TOOL_SELECTION_GUIDE, WORKSPACE_GUIDANCE } from '../base/seed-texts.js'

export { TOOL_SELECTION_GUIDE }

/** Line for the head of a workspace.md that the agent maintains, from document "Agent Memory and File Write Safety". */
export const WORKSPACE_TEMPLATE_LINE: string = WORKSPACE_GUIDANCE

/** Instructions for an agent with these tools, for its system prompt. */
export const AGENT_INSTRUCTIONS = `Changing files:
- Prefer edit_file, append_to_file, prepend_to_file and update_section to write_file: they change only what they name, and work when you no longer see the rest of the file.
- Use write_file for new files. Before you replace a whole file, read it, and keep everything that should stay.
- Give edit_file an intent: a few words on why. It is kept when the edit itself is no longer shown.

Reading files:
- Search first, then read the lines around what was found. Read a whole file when you need all of it.
- A large file that you need only once: ephemeral=true. Its content is gone after this turn, so put what matters into your answer or into workspace.md.

${TOOL_SELECTION_GUIDE}`
