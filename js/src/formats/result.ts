import { jsonText } from './call-input.js'
import type { File, Result, Text } from './neutral.js'

/** A result as texts and files, for formats whose results cannot contain values: these become JSON text. */
export function textsAndFiles({ parts, at }: Result): (Text | File)[] {
  return parts.map((part) => (part.kind === 'json' ? { kind: 'text', text: jsonText(part.value, at) } : part))
}

/** The text parts of a result, joined by line feeds, without files. */
export function resultText(result: Result): string {
  return textsAndFiles(result)
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('\n')
}

export function filesIn({ parts }: Result): File[] {
  return parts.filter((part) => part.kind === 'file')
}

/** Simplifies a list of parts to a string if it is empty or one plain text. */
export function textOrParts<P extends { type: string }>(parts: readonly P[]): string | P[] {
  const [only] = parts
  if (only === undefined) return ''
  const isPlain = parts.length === 1 && only.type === 'text' && Object.keys(only).length === 2
  return isPlain && 'text' in only ? String(only.text) : [...parts]
}
