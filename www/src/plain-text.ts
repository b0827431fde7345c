/** Converts values of messages to readable text. Independent of formats and the DOM. */

export type Fields = Readonly<Record<string, unknown>>

/** Returns the text of a result: its text parts joined by line breaks, other parts described by type. */
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

/** Describes a file by its type and never shows its bytes: base64 tells a reader nothing. */
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

/** Maximum length, in UTF-16 units, of JSON shown on one line. */
const ONE_LINE = 120

/** Formats a value, or a text that contains JSON, as JSON. */
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

/** Returns a tool's return value as text: a string unchanged, anything else as JSON. */
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
