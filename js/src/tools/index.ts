export {
  EDIT_GUIDANCE,
  EPHEMERAL_DESCRIPTION,
  EPHEMERAL_GUIDANCE,
  INTENT_DESCRIPTION,
  WORKSPACE_GUIDANCE,
} from '../base/seed-texts.js'
export type { NotIndexed, ReadIndex } from '../reading/read-index.js'
export { openToolCalls, runToolCall, type ToolCall } from './calls.js'
export { createTools, type ToolsOptions } from './create-tools.js'
export {
  APPEND_TO_FILE_DESCRIPTION,
  EDIT_FILE_DESCRIPTION,
  LIST_FILES_DESCRIPTION,
  PREPEND_TO_FILE_DESCRIPTION,
  READ_FILE_DESCRIPTION,
  READ_LINES_DESCRIPTION,
  SEARCH_DESCRIPTION,
  UPDATE_SECTION_DESCRIPTION,
  WRITE_FILE_DESCRIPTION,
} from './descriptions.js'
export type { EncodingOf } from './encoding.js'
export { AGENT_INSTRUCTIONS, TOOL_SELECTION_GUIDE, WORKSPACE_TEMPLATE_LINE } from './guidance.js'
export { createReadLinesTool, createReadTool, type ReadSource, type ReadToolOptions } from './read.js'
export type { Recaller } from './recall.js'
export type * from './result-message.js'
export { addToolResults, toolResultMessage, toolResultMessages, withoutMetadata } from './result-message.js'
export type { ExecuteOptions, Tool, ToolResult } from './tool.js'
