import { Originals } from '../adapters/originals.js'
import { check, copyOf, kind, OBJECT, readable } from '../base/check.js'
import { asRecord, isArray, type JsonRecord, recordsOf } from '../base/json.js'

/** Types of items with different names in Agents (`_result`) and the Responses API (`_output`); all others have the same. */
const RESULTS = /^(function|computer)_call_(result|output)$/

function typed(type: unknown, end: 'result' | 'output'): JsonRecord {
  if (type === undefined) return {}
  return { type: typeof type === 'string' ? type.replace(RESULTS, `$1_call_${end}`) : type }
}

/**
 * Converts items of OpenAI Agents to `openai-responses` items: the same items, with the names of the API that
 * receives them. Text, images and files are unchanged, and can be counted and cleared.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function toResponsesItems(items: readonly object[]): object[] {
  return readable('items', () => {
    const list = check('items', copyOf(items), ITEMS)
    list.forEach((item, at) => {
      check(`items[${at}]`, item, OBJECT)
    })
    return new ItemNames().toResponses(list)
  })
}

const ITEMS = kind<readonly object[]>('an array of items: those of getItems()', isArray)

/**
 * Converts items to the names of the Responses API and back. Unedited items are returned as the original
 * objects.
 */
export class ItemNames {
  readonly #originals = new Originals()

  toResponses(items: readonly object[]): object[] {
    return items.map((item) => this.#item(item as JsonRecord))
  }

  /** Converts the items of a view. */
  toAgents(items: readonly object[]): object[] {
    return items.map((item) => this.#originals.of(item) ?? this.#edited(item as JsonRecord))
  }

  /**
   * Converts the answer of `recall` to a tool output of Agents, in which images and files have other names
   * than in items.
   */
  toToolOutput(answer: string | object): string | object[] {
    if (typeof answer === 'string') return answer
    return recordsOf(answer).map((part) => {
      const own = (this.#originals.of(part) ?? part) as JsonRecord
      return { ...own, type: String(own.type).replace('input_', '') }
    })
  }

  #item(item: JsonRecord): object {
    const { callId, type, ...fields } = item
    const converted: JsonRecord = { ...typed(type, 'output'), ...fields }
    if (type === 'reasoning') Object.assign(converted, signatureIn(item.providerData))
    if (callId !== undefined) converted.call_id = callId
    if ('content' in item && type !== 'reasoning') converted.content = this.#parts(item.content)
    if ('output' in item) converted.output = this.#output(item.output)
    return this.#originals.keep(item, converted)
  }

  #edited({ call_id, type, ...fields }: JsonRecord): object {
    const item: JsonRecord = { ...typed(type, 'result'), ...fields }
    if (call_id !== undefined) item.callId = call_id
    for (const field of ['content', 'output'])
      if (field in item) item[field] = this.#originals.of(item[field]) ?? this.#originals.ofParts(item[field])
    const { type: kind, image_url } = asRecord(item.output) ?? {}
    if (kind === 'computer_screenshot' && image_url !== undefined)
      item.output = { type: kind, data: image_url }
    return item
  }

  /** Converts an output: a text, one part, a list of parts, a screenshot, or shell output. */
  #output(output: unknown): unknown {
    const { type, text, data } = (output ?? {}) as JsonRecord
    if (type === 'text') return text
    if (type === 'image' || type === 'file') return [this.#part(output as JsonRecord)]
    if (type === 'computer_screenshot')
      return this.#originals.keep(output as object, { type, image_url: data })
    return this.#parts(output)
  }

  #parts(parts: unknown): unknown {
    if (!Array.isArray(parts)) return parts
    const converted = parts.map((part: unknown) =>
      typeof part === 'object' && part !== null ? this.#part(part as JsonRecord) : part,
    )
    return this.#originals.keep(parts, converted)
  }

  #part(part: JsonRecord): object {
    const { image, file, outcome, ...fields } = part
    const keep = (own: JsonRecord) => this.#originals.keep(part, { ...fields, ...own })
    const type = String(part.type).replace('input_', '')
    if (type === 'image') return keep({ type: 'input_image', ...imageFields(image) })
    if (type === 'file') return keep({ type: 'input_file', ...fileFields(file) })
    if (type === 'audio') return keep({ type: 'input_audio' })
    const { exitCode: exit_code } = asRecord(outcome) ?? {}
    return exit_code === undefined ? part : keep({ outcome: { ...(outcome as object), exit_code } })
  }
}

/**
 * The signature of another provider's reasoning, which the AI SDK's models store under the provider's name.
 */
function signatureIn(providerData: unknown): { signature?: string } {
  for (const options of Object.values(asRecord(providerData) ?? {})) {
    const { redactedData, signature = redactedData } = asRecord(options) ?? {}
    if (typeof signature === 'string') return { signature }
  }
  return {}
}

function imageFields(image: unknown): JsonRecord {
  if (typeof image === 'string') return { image_url: image }
  const { url, data, id, fileId } = (image ?? {}) as JsonRecord
  const address = url ?? data
  return address === undefined ? { file_id: id ?? fileId } : { image_url: address }
}

function fileFields(file: unknown): JsonRecord {
  if (typeof file === 'string') return file.startsWith('http') ? { file_url: file } : { file_data: file }
  const { url, data, id, filename } = (file ?? {}) as JsonRecord
  const name = filename === undefined ? {} : { filename }
  if (url !== undefined) return { file_url: url, ...name }
  return { ...(data === undefined ? { file_id: id } : { file_data: data }), ...name }
}
