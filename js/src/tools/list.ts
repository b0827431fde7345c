import { askedGlob } from '../files/glob.js'
import { BYTES_PER_TOKEN } from '../generated/protocol.js'
import { utf8Length } from '../tokens/byte-estimate.js'
import type { FileInfo } from '../workspace/files.js'
import type { Workspace } from '../workspace/workspace.js'
import { parametersOf } from './arguments.js'
import { defineTool } from './define.js'
import { LIST_FILES_DESCRIPTION } from './descriptions.js'
import { walkFolder } from './folder-walk.js'
import { done, failed, type Tool } from './tool.js'

const DEFAULT_LIMIT = 500

interface ListSettings {
  ignore: readonly string[]
  /** Maximum tokens of a result. */
  maxTokens: number
}

/** Tokens reserved for notes below the paths. */
const NOTES = 50

/** `list_files`: lists one path per line. */
export function listFilesTool(workspace: Workspace, { ignore, maxTokens }: ListSettings): Tool {
  return defineTool({
    name: 'list_files',
    description: LIST_FILES_DESCRIPTION,
    parameters: parametersOf(
      {
        path: { type: 'string', description: 'The folder, relative to the root. Default: the root.' },
        recursive: { type: 'boolean', description: 'Also what is in its folders. Default false.' },
        glob: {
          type: 'string',
          description: 'Only files that match: "*.ts", "src/**/*.md". Implies recursive.',
        },
        limit: { type: 'integer', description: `The most paths. Default ${DEFAULT_LIMIT}.`, minimum: 1 },
      },
      [],
    ),
    async run(args, { signal }) {
      const { path = '.', recursive = false, glob, limit = DEFAULT_LIMIT } = args as ListArguments
      const asked = askedGlob(glob)
      if (typeof asked === 'string') return failed(asked)
      const matches = glob === undefined ? () => true : filesThat(asked)
      const isDeep = recursive || glob !== undefined
      const entries = isDeep ? walkFolder(workspace, path, ignore) : await workspace.list(path)
      const shown: string[] = []
      let total = 0
      let bytesLeft = (maxTokens - NOTES) * BYTES_PER_TOKEN
      for await (const entry of entries) {
        signal?.throwIfAborted()
        if (!matches(entry)) continue
        total++
        if (shown.length === limit || bytesLeft < 0) continue
        const name = entry.kind === 'folder' ? `${entry.path}/` : entry.path
        bytesLeft -= utf8Length(name) + 1
        if (bytesLeft >= 0) shown.push(name)
      }
      if (total === 0) return done(glob === undefined ? 'The folder is empty.' : `No file matches ${glob}.`)
      const rest =
        total > shown.length ? [`[${shown.length} of ${total} shown: name a folder or a glob]`] : []
      return done([...shown, ...rest].join('\n'))
    },
  })
}

interface ListArguments {
  path?: string
  recursive?: boolean
  glob?: string
  limit?: number
}

const filesThat = (matches: (path: string) => boolean) => (entry: FileInfo) =>
  entry.kind === 'file' && matches(entry.path)
