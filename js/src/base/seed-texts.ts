/** Texts of the seed documents, for prompts, descriptions of tools, and placeholders. */

import { wellFormed } from './text.js'

export { CLEARED_PLACEHOLDER, EPHEMERAL_WARNING } from '../generated/protocol.js'

/** Returns ephemeral content behind its warning, if it has one. */
export const warned = (content: string, warning: unknown): string =>
  typeof warning === 'string' ? wellFormed(`${warning}\n\n${content}`) : content

/** Replaces an old result, for agents that keep notes in a workspace file: `ContextConfig`. */
export const PROCESSED_PLACEHOLDER = '[Result processed - see workspace if needed]'

/** Tools whose results document "Memory and Context Editing" never clears, for `protect.tools`. */
export const PROTECTED_TOOLS: readonly string[] = ['read_file', 'list_files', 'list_todos', 'get_progress']

/** The description of a read tool's parameter `ephemeral`. */
export const EPHEMERAL_DESCRIPTION =
  'If true, reads up to 90% of context size temporarily. Content is removed from conversation after current turn. Use for one-time large file analysis. Default: false'

/** For the system prompt of an agent with ephemeral reads. */
export const EPHEMERAL_GUIDANCE =
  'Use ephemeral=true for a one-time analysis of a large file. Ephemeral content disappears after the current turn: save key information in your response.'

/** The description of an edit tool's parameter `intent`. Document "Smart Tool History". */
export const INTENT_DESCRIPTION = 'Brief description of why this change is being made'

/** Which tool changes a file best, for a system prompt. Document "Memory and Context Editing". */
export const TOOL_SELECTION_GUIDE = `| Scenario | Tool |
|----------|------|
| Change a specific value | \`edit_file\` |
| Add new entry/section | \`append_to_file\` |
| Update markdown section | \`update_section\` |
| Create new file | \`write_file\` |
| Full file replacement (rare) | Read first, then \`write_file\` |`

/** For the template of a workspace file. */
export const WORKSPACE_GUIDANCE =
  'Update it with edit_file() or append_to_file() to persist important information.'

/** For the system prompt of an agent with these tools. */
export const EDIT_GUIDANCE =
  'Prefer edit_file, append_to_file and update_section over full rewrites with write_file: they change only what you specify, and you need not hold the whole file in context.'
