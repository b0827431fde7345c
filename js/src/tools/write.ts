import { groups } from '../base/text.js'
import type { Workspace } from '../workspace/workspace.js'
import { parametersOf } from './arguments.js'
import { defineTool } from './define.js'
import { WRITE_FILE_DESCRIPTION } from './descriptions.js'
import { INTENT } from './edit.js'
import { type Indexer, withNotIndexed } from './indexer.js'
import { done, type Tool } from './tool.js'

/** `write_file`: creates or replaces a file, with a warning if it was never read. */
export function writeFileTool(workspace: Workspace, indexer: Indexer): Tool {
  return defineTool({
    name: 'write_file',
    description: WRITE_FILE_DESCRIPTION,
    parameters: parametersOf(
      {
        path: { type: 'string', description: 'The file, relative to the root. Missing folders are made.' },
        content: { type: 'string', description: 'All that is to be in the file.' },
        intent: INTENT,
      },
      ['path', 'content'],
    ),
    async run(args) {
      const { path, content } = args as { path: string; content: string }
      const { bytes, digest, path: real, warning } = await workspace.writeFile(path, content)
      const written = `Written: ${path} (${groups(bytes)} bytes)`
      const result = done(warning === undefined ? written : `${written}\n${warning}`)
      return withNotIndexed(result, await indexer.saw([{ path: real, content, digest }]))
    },
  })
}
