import { asRecord, type JsonRecord } from '../base/json.js'
import type { Block, File, Message } from './neutral.js'
import type { LostItem } from './types.js'

/** Collects content that a conversion cannot express. */
export class Losses {
  readonly #items: LostItem[] = []

  add(index: number, what: string): void {
    this.#items.push({ index, what })
  }

  /** All losses, in the order of the messages. */
  get items(): LostItem[] {
    return [...this.#items].sort((a, b) => a.index - b.index)
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
    this.add(index, `file${file.mediaType === '' ? '' : ` of type ${file.mediaType}`}${where}`)
  }

  /** Records a block of a kind that the target does not have. */
  block(index: number, block: Block): void {
    if (block.kind === 'file') this.file(index, block)
    else if (block.kind === 'server-tool') this.add(index, `server-side tool ${JSON.stringify(block.name)}`)
    else this.add(index, block.kind)
  }

  empty({ at, role }: Message): void {
    this.add(at, role === 'assistant' ? 'message without text or calls' : 'message without content')
  }

  speaker({ at, speaker }: Message): void {
    if (speaker !== undefined) this.add(at, 'name of the speaker')
  }
}

const OPTION_NAMES = new Map([
  ['anthropic.cacheControl', 'cache_control'],
  ['google.thoughtSignature', 'signature of a thought'],
])
