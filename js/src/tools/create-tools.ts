import { check, checkOptions, SWITCH, TEXTS, withMethods } from '../base/check.js'
import { readTokenLimit } from '../files/format-read.js'
import type { Workspace } from '../workspace/workspace.js'
import { type EditToolOptions, editTools } from './edit.js'
import { IGNORED_FOLDERS } from './folder-walk.js'
import { Indexer } from './indexer.js'
import { listFilesTool } from './list.js'
import { createReadLinesTool, limitsFrom, READ_OPTIONS, type ReadToolOptions, readTool } from './read.js'
import { type Recaller, recallTool } from './recall.js'
import { searchTool } from './search.js'
import { TokenBudget } from './token-budget.js'
import { shortenedBy, type Tool, withShortErrors } from './tool.js'
import { writeFileTool } from './write.js'

/** Options of {@link createTools}. */
export interface ToolsOptions extends Omit<ReadToolOptions, 'name'>, EditToolOptions {
  /** Context of the conversation: adds the tool `recall`, which returns cleared results. */
  context?: Recaller | undefined
  /** Names of folders that listings and searches skip. Default `.git` and `node_modules`. */
  ignore?: readonly string[] | undefined
}

const WORKSPACE = withMethods<Workspace>(
  'a workspace: createTools(createWorkspace({ fs, root }))',
  'readFile',
  'writeFile',
)
const OPTIONS = {
  ...READ_OPTIONS,
  diffs: SWITCH,
  context: withMethods<Recaller>('a Context, or an object with answerRecall', 'answerRecall'),
  ignore: TEXTS,
}

/**
 * Creates the tools of an agent that works on files: `read_file`, `read_lines`, `write_file`, `edit_file`,
 * `append_to_file`, `prepend_to_file`, `update_section`, `list_files`, `search`, and with a context `recall`.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createTools(workspace: Workspace, options: ToolsOptions = {}): Tool[] {
  check('workspace', workspace, WORKSPACE)
  options = checkOptions(options, OPTIONS, 'createTools')
  const { context, ignore = IGNORED_FOLDERS, diffs = false, ...reading } = options
  const { encodingOf, counter } = reading
  const limits = limitsFrom(reading)
  const maxTokens = limits === false ? Number.POSITIVE_INFINITY : readTokenLimit(limits)
  const budget = new TokenBudget(maxTokens, counter)
  const indexer = new Indexer(options.index)
  const tools = [
    readTool(workspace, reading, true),
    createReadLinesTool(workspace, reading),
    ...[
      writeFileTool({ workspace, indexer, encodingOf }),
      ...editTools({ workspace, indexer, diffs, budget, encodingOf }),
    ].map((tool) => shortenedBy(tool, () => budget)),
    listFilesTool(workspace, { ignore, maxTokens, budget }),
    searchTool(workspace, { ignore, encodingOf, maxTokens, budget }),
    ...(context === undefined ? [] : [recallTool(context)]),
  ]
  return tools.map((tool) => withShortErrors(tool, budget))
}
