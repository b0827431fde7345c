import { asRecord, asString, isArray, isRecord, type JsonRecord } from '../base/json.js'
import { pushTo } from '../base/lists.js'
import type { Block, File, Message, Text } from './neutral.js'
import type { LostItem } from './types.js'

/** Names a file by its type. */
export const nameOf = ({ mediaType }: Pick<File, 'mediaType'>): string =>
  `file${mediaType === '' ? '' : ` of type ${mediaType}`}`

/**
 * The text that takes the place of a user's message whose whole content is lost: without it, two answers would follow one
 * another.
 */
export const leftOut = (names: readonly string[]): string => `[left out: ${names.join(', ')}]`

/** Collects content that a conversion cannot express. */
export class Losses {
  readonly #items: LostItem[] = []
  readonly #unread = new Map<number, string[]>()

  add(index: number, what: string): void {
    this.#items.push({ index, what })
  }

  /** All losses, in the order of the messages. */
  get items(): LostItem[] {
    return [...this.#items].sort((a, b) => a.index - b.index)
  }

  /** Records content that a reader does not know. */
  content(index: number, what: string): void {
    this.add(index, what)
    pushTo(this.#unread, index, what)
  }

  /** The content of a message that its reader does not know. */
  unreadIn({ at }: Message): readonly string[] {
    return this.#unread.get(at) ?? []
  }

  /** Records provider options that the target cannot express, except those in `carried`. */
  options(index: number, options: JsonRecord | undefined, carried: readonly string[] = []): void {
    for (const [provider, settings] of Object.entries(options ?? {})) {
      for (const key of Object.keys(asRecord(settings) ?? {})) {
        const name = `${provider}.${key}`
        if (!carried.includes(name)) this.add(index, OPTION_NAMES.get(name) ?? `provider option ${name}`)
      }
    }
  }

  file(index: number, file: File, where = ''): void {
    this.add(index, `${nameOf(file)}${where}`)
  }

  /** Records that a file is written without its name. */
  fileName(index: number, { name }: File): void {
    if (name !== undefined) this.add(index, 'name of a file')
  }

  /**
   * Names the fields of a message, a part or a call that its reader left: those that hold a text, a list or an object.
   * `read` are the others, `of` says what holds them: by default a part of its type.
   */
  unread(
    index: number,
    holder: JsonRecord,
    read: readonly string[],
    of: string = `a ${partOfType(holder)}`,
  ): void {
    for (const [field, value] of Object.entries(holder)) {
      if (NO_CONTENT.has(field) || field.startsWith('lc_') || isNothing(value)) continue
      // The model itself made the call, as it does everywhere.
      if (field === 'caller' && asRecord(value)?.type === 'direct') continue
      const isMisplaced = TEXTS.has(field) && typeof value !== 'string'
      if (isMisplaced || !read.includes(field)) this.add(index, `field ${JSON.stringify(field)} of ${of}`)
    }
  }

  /** As `unread`, by the type of the holder; one of a type that is not listed is named as a whole, elsewhere. */
  unreadOf(index: number, holder: JsonRecord, read: ReadFields, what = 'part'): void {
    const fields = read.get(asString(holder.type) ?? '')
    if (fields !== undefined)
      this.unread(index, holder, fields, `a ${what} of type ${JSON.stringify(holder.type)}`)
  }

  /** The objects of a list of parts. A text is a part of its own; anything else is named. */
  parts(index: number, list: unknown, of: string): JsonRecord[] {
    if (typeof list === 'string') return [{ type: 'text', text: list }]
    const texts = (part: unknown): unknown => (typeof part === 'string' ? { type: 'text', text: part } : part)
    return this.records(index, isArray(list) ? list.map(texts) : list, of)
  }

  /** The objects of a list; anything else is named. */
  records(index: number, list: unknown, of: string): JsonRecord[] {
    if (list === undefined || list === null) return []
    return (isArray(list) ? list : [list]).flatMap((part): JsonRecord[] => {
      if (isArray(list) && isRecord(part)) return [part]
      this.content(index, `${isRecord(part) ? 'object' : typeof part} in place of ${of}`)
      return []
    })
  }

  /** Records a part of a type that is not read. Returns what is read of it: nothing. */
  part(index: number, part: JsonRecord): never[] {
    this.content(index, partOfType(part))
    return []
  }

  /** Records a block of a kind that the target does not have. Returns what is written for it: nothing. */
  block(index: number, block: Block): never[] {
    if (block.kind === 'file') this.file(index, block)
    else if (block.kind === 'server-tool') this.add(index, `server-side tool ${JSON.stringify(block.name)}`)
    else this.add(index, block.kind)
    return []
  }

  /** Records a message of a role that is not read. Returns what is read of it: nothing. */
  role(index: number, { role }: JsonRecord): never[] {
    this.add(index, `message of role ${JSON.stringify(role ?? null)}`)
    return []
  }

  /** Records that a refusal is written like any text. */
  refusal(index: number, { refusal }: Text): void {
    if (refusal === true) this.add(index, 'mark of a refusal (now text)')
  }

  empty({ at, role }: Message): void {
    this.add(at, role === 'assistant' ? 'message without text or calls' : 'message without content')
  }

  speaker({ at, speaker }: Message): void {
    if (speaker !== undefined) this.add(at, 'name of the speaker')
  }
}

/** The fields that hold what is read, by the type of what holds them. */
export type ReadFields = ReadonlyMap<string, readonly string[]>

/** Names a part by its type. */
export const partOfType = ({ type }: JsonRecord): string => `part of type ${JSON.stringify(type ?? null)}`

const OPTION_NAMES = new Map([
  ['anthropic.cacheControl', 'cache_control'],
  ['google.thoughtSignature', 'signature of a thought'],
])

/** What clients, servers and stores note beside a message or a part: the model is not sent it. */
const NO_CONTENT = new Set([
  'created',
  'createdAt',
  'created_at',
  'created_by',
  'detail',
  'finish_reason',
  'id',
  'logprobs',
  'metadata',
  'model',
  'namespace',
  'object',
  'phase',
  'response_metadata',
  'role',
  'state',
  'status',
  'stop_reason',
  'stop_sequence',
  'timestamp',
  'tool_call_chunks',
  'type',
  'updatedAt',
  'usage',
  'usage_metadata',
])

/** Fields that are read where they hold a text. */
const TEXTS = new Set([
  'errorText',
  'encrypted_content',
  'reasoning',
  'reasoning_content',
  'refusal',
  'text',
  'thinking',
])

function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return value === ''
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0
}
