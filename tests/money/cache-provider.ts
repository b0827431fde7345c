/** A simulated provider with a prompt cache, written independently of the package's diagnosis. */

interface Block {
  cache_control?: { type: string; ttl?: string }
  [field: string]: unknown
}

/** Body of a request to Anthropic's API. */
export interface Body {
  model: string
  tools: Block[]
  system: Block[]
  thinking?: object
  messages: { role: string; content: string | Block[] }[]
}

export interface Usage {
  input_tokens: number
  cache_read_input_tokens: number
  cache_creation_input_tokens: number
  output_tokens: number
}

const LEAST = 1024
const LIFE = 300_000
const LOOK_BACK = 20

/** Token count of this provider; it differs from the package's estimate. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4.3) + 4

export class CacheProvider {
  /** Time of the last use of each prefix. */
  #entries = new Map<string, number>()

  evict(): void {
    this.#entries = new Map()
  }

  answer(body: Body, time: number): Usage {
    const pieces = piecesOf(body)
    const upTo: number[] = [0]
    const keys: string[] = [`${body.model}\n`]
    pieces.forEach(({ text }, at) => {
      upTo.push((upTo[at] as number) + tokensOf(text))
      keys.push(`${keys[at]}${text}\n`)
    })
    const total = upTo.at(-1) as number
    const marks = pieces.flatMap(({ isMarked }, at) =>
      isMarked && (upTo[at + 1] as number) >= LEAST ? [at + 1] : [],
    )
    let hit = 0
    for (const mark of marks) {
      for (let at = mark; at > Math.max(hit, mark - LOOK_BACK); at--) {
        const used = this.#entries.get(keys[at] as string)
        if (used !== undefined && time - used <= LIFE) hit = at
      }
    }
    for (const at of [...marks, ...(hit > 0 ? [hit] : [])]) this.#entries.set(keys[at] as string, time)
    const read = upTo[hit] as number
    const written = Math.max(0, (upTo[marks.at(-1) ?? 0] as number) - read)
    return {
      input_tokens: total - read - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      output_tokens: 50,
    }
  }
}

function piecesOf({ messages, system, thinking, tools }: Body): { text: string; isMarked: boolean }[] {
  const piece = (block: Block, before = '') => {
    const { cache_control, ...said } = block
    return { text: before + JSON.stringify(said), isMarked: cache_control !== undefined }
  }
  const said = messages.flatMap(({ content, role }, at) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const before = at === 0 ? JSON.stringify(thinking ?? {}) : ''
    return blocks.map((block: Block, index) => piece(block, index === 0 ? before + role : role))
  })
  return [...tools.map((tool) => piece(tool)), ...system.map((text) => piece(text)), ...said]
}
