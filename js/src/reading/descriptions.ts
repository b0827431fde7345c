/**
 * Description of the tool `read_file` with a reader, from document "Unified read_file". `createReadTool` says of it
 * what is true of its reader, and adds how to unfold sections.
 */
export const UNIFIED_READ_FILE_DESCRIPTION =
  'Reads a file with smart context optimization. Small files (≤100 lines) show full content instantly. Larger files use an intelligent agent that filters content based on conversation context to show only relevant sections. All files are fully indexed in GraphRAG for later queries. Use this as your primary file reading tool. For surgical access to specific line ranges, use read_lines instead.'
