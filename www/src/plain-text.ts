/** Values of messages as a reader sees them. Knows no formats, no DOM. */

export type Fields = Readonly<Record<string, unknown>>

/** The text of a result: its text parts one below the other, anything else by what it is. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') {
    return content
  }
  const texts = listOf(content).map((part) => {
    const fields = fieldsOf(part)
    return typeof part === 'string' ? part : typeof fields.text === 'string' ? fields.text : fileText(fields)
  })
  return texts.join('\n')
}

/** A file by its type, never its bytes: base64 tells a reader nothing. */
export function fileText(part: Fields): string {
  const holders = [
    part.source,
    part.image_url,
    part.file,
    part.input_audio,
    part.inlineData,
    part.fileData,
    part,
  ]
  const source = fieldsOf(holders.find((holder) => typeof holder === 'object' && holder !== null))
  const names = [
    source.media_type,
    source.mimeType,
    source.mediaType,
    source.mime_type,
    source.format,
    source.filename,
  ]
  const type = names.find((name) => typeof name === 'string') ?? ''
  return `[${stringOf(part.type) || 'file'}${type === '' ? '' : `: ${type}`}]`
}

/** Arguments up to this length are read more easily on one line. */
const ONE_LINE = 120

/** A value as JSON, or a text that is JSON laid out. */
export function pretty(value: unknown): string {
  try {
    const data: unknown = typeof value === 'string' ? JSON.parse(value) : value
    if (data === undefined) {
      return ''
    }
    const line = JSON.stringify(data)
    return line.length <= ONE_LINE ? line : JSON.stringify(data, null, 2)
  } catch {
    // Arguments need not be JSON: a freeform tool takes plain text, and a model can write anything.
    return typeof value === 'string' ? value : '(cannot be shown)'
  }
}

/** What a tool returned as a value: a text as it is. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : pretty(value)
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
