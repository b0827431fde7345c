import { utf8Length } from '../base/text.js'
import { askedGlob, named } from '../files/glob.js'
import { BYTES_PER_TOKEN } from '../generated/protocol.js'
import type { FileInfo } from '../workspace/files.js'
import { escaped } from '../workspace/paths.js'
import type { Workspace } from '../workspace/workspace.js'
import { parametersOf } from './arguments.js'
import { defineTool } from './define.js'
import { LIST_FILES_DESCRIPTION } from './descriptions.js'
import { exceptFor, PassedOver, walkFolder } from './folder-walk.js'
import type { TokenBudget } from './token-budget.js'
import { done, failed, type Tool } from './tool.js'

const DEFAULT_LIMIT = 500

interface ListSettings {
  ignore: readonly string[]
  /** Maximum tokens of a result. */
  maxTokens: number
  budget: TokenBudget
}

const ESCAPES = '[Names with control characters are shown with escapes, as \\n: these tools cannot open them]'

/** `list_files`: lists one path per line. */
export function listFilesTool(workspace: Workspace, { ignore, maxTokens, budget }: ListSettings): Tool {
  return defineTool({
    name: 'list_files',
    description: LIST_FILES_DESCRIPTION,
    parameters: parametersOf(
      {
        path: { type: 'string', description: 'The folder, relative to the root. Default: the root.' },
        recursive: {
          type: 'boolean',
          description: `Also what is in its folders. Default false.${exceptFor(ignore)}`,
        },
        glob: {
          type: 'string',
          description: 'Only files that match: "*.ts", "src/**/*.md". Implies recursive.',
        },
        limit: { type: 'integer', description: `The most paths. Default ${DEFAULT_LIMIT}.`, minimum: 1 },
      },
      [],
    ),
    async run(args, { signal }) {
      const { path = '.', recursive = false, glob, limit = DEFAULT_LIMIT } = args
      const asked = askedGlob(glob)
      if (typeof asked === 'string') return failed(asked)
      const matches = glob === undefined ? () => true : filesThat(asked)
      const isDeep = recursive || glob !== undefined
      const passedOver = new PassedOver()
      const entries = isDeep ? walkFolder(workspace, path, ignore, passedOver) : await workspace.list(path)
      // By the estimate no more can be shown; with any counter the paths are shortened at the end.
      const most = maxTokens * BYTES_PER_TOKEN
      const shown: string[] = []
      let [total, bytes] = [0, 0]
      let [isFull, hasEscapes] = [false, false]
      for await (const entry of entries) {
        signal?.throwIfAborted()
        if (!matches(entry)) continue
        total++
        const name = escaped(entry.path)
        const line = entry.kind === 'folder' ? `${name}/` : name
        isFull ||= shown.length === limit || bytes + bytesOf(line) > most
        if (isFull) continue
        bytes += bytesOf(line)
        shown.push(line)
        hasEscapes ||= name !== entry.path
      }
      const notes = [...passedOver.failureNote('Not listed'), ...(hasEscapes ? [ESCAPES] : [])]
      if (total === 0)
        notes.unshift(
          glob === undefined ? 'The folder is empty.' : `No file matches ${escaped(named(glob))}.`,
          ...passedOver.ignoredNote(),
        )
      const textOf = (count: number) => {
        const more = total > count ? [`[${count} of ${total} shown: name a folder or a glob]`] : []
        return [...shown.slice(0, count), ...notes, ...more].join('\n')
      }
      return done(budget.longest(shown.length, textOf))
    },
  })
}

const bytesOf = (line: string) => utf8Length(line) + 1

const filesThat = (matches: (path: string) => boolean) => (entry: FileInfo) =>
  entry.kind === 'file' && matches(entry.path)
