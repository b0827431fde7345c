/** What a model is told of `read_file` with a reader. Document "Unified read_file". */
export const UNIFIED_READ_FILE_DESCRIPTION =
  'Reads a file with smart context optimization. Small files (≤100 lines) show full content instantly. Larger files are filtered by the conversation to show only relevant sections, with line numbers; "..." stands for folded lines. Use this as your primary file reading tool. To see a folded section, give its name or a line in it as expand; mode=full shows everything. For surgical access to specific line ranges, use read_lines instead.'
