import { given } from '../base/json.js'
import { groups } from '../base/text.js'
import { rewriteFile } from '../files/edit.js'
import type { Workspace } from '../workspace/workspace.js'
import { parametersOf } from './arguments.js'
import { defineTool } from './define.js'
import { WRITE_FILE_DESCRIPTION } from './descriptions.js'
import { INTENT } from './edit.js'
import { type EncodingOf, toldBy } from './encoding.js'
import { type Indexer, withNotIndexed } from './indexer.js'
import { done, failed, type Tool } from './tool.js'
import { inTurns, readIfThere } from './turns.js'

/** Dependencies of `write_file`. */
interface Writing {
  workspace: Workspace
  indexer: Indexer
  encodingOf: EncodingOf | undefined
}

/** `write_file`: creates or replaces a file in the file's encoding, with a warning if it was never read. */
export function writeFileTool({ workspace, indexer, encodingOf }: Writing): Tool {
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
    run: ({ path, content }) =>
      inTurns(workspace, async () => {
        const encoding = toldBy(encodingOf, path)
        const before = await readIfThere(workspace, path)
        const made = rewriteFile(before?.bytes, { path, text: content, ...given({ encoding }) })
        if (made.isError) return failed(made.message)
        // Of the file whose encoding this is.
        const expectedDigest = before?.digest ?? null
        const written = await workspace.writeFile(path, made.content, { expectedDigest })
        const { bytes, digest, path: real, warning = '' } = written
        const lines = [`Written: ${path} (${groups(bytes)} bytes)`, warning, made.message]
        const result = done(lines.filter((line) => line !== '').join('\n'))
        return withNotIndexed(result, await indexer.saw([{ path: real, content, digest }]))
      }),
  })
}
