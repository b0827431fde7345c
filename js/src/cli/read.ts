import { readSync } from 'node:fs'
import { type FormatReadOptions, formatRead } from '../index.js'
import { outlineFile, outlineText } from './outline.js'
import { inWords, readBytes, readPipe, withFile } from './source-file.js'

export interface ReadArguments {
  file: string
  mode: 'full' | 'structure'
  offset: number | undefined
  limit: number | undefined
}

/** A file as a model reads it. Of a large one only what is shown is held. */
export async function readCommand({ file, mode, offset, limit }: ReadArguments): Promise<string> {
  if (mode === 'structure') {
    return outlineText(file, await outlineFile(file, { budget: undefined, language: undefined }))
  }
  const slice = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) }
  const show = (content: FormatReadOptions['content']) =>
    `${formatRead({ path: file, content, ...slice }).text}\n`
  if (file === '-') return show(await readBytes(file))
  try {
    return withFile(file, (descriptor, stat) =>
      show(
        stat.isFIFO()
          ? readPipe(descriptor)
          : (target, at) => readSync(descriptor, target, 0, target.length, at),
      ),
    )
  } catch (error) {
    throw inWords(file, error)
  }
}
