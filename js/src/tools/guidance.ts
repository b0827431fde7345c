/** The table of document "Agent Memory and File Write Safety", for a system prompt: which tool for which change. */
export const TOOL_SELECTION_GUIDE = `| Scenario | Tool |
|----------|------|
| Change a specific value | \`edit_file\` |
| Add new entry/section | \`append_to_file\` |
| Update markdown section | \`update_section\` |
| Create new file | \`write_file\` |
| Full file replacement (rare) | Read first, then \`write_file\` |`

/** The line of the same document for the head of a workspace.md that the agent keeps. */
export const WORKSPACE_TEMPLATE_LINE =
  'Update it with edit_file() or append_to_file() to persist important information.'

/** What an agent with these tools should be told, for a system prompt. */
export const AGENT_INSTRUCTIONS = `Changing files:
- Prefer edit_file, append_to_file, prepend_to_file and update_section to write_file: they change only what they name, and work when you no longer see the rest of the file.
- Use write_file for new files. Before you replace a whole file, read it, and keep everything that should stay.
- Give edit_file an intent: a few words on why. It is kept when the edit itself is no longer shown.

Reading files:
- Search first, then read the lines around what was found. Read a whole file when you need all of it.
- A large file that you need only once: ephemeral=true. Its content is gone after this turn, so put what matters into your answer or into workspace.md.

${TOOL_SELECTION_GUIDE}`
