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
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number }
  output_tokens: number
}

const LEAST = 1024
const LIVES = { '5m': 300_000, '1h': 3_600_000 }
const LOOK_BACK = 20

/** Token count of this provider; it differs from the package's estimate. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4.3) + 4

export class CacheProvider {
  /** The last use of each prefix, with its life. */
  #entries = new Map<string, { used: number; life: number }>()

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
    const hours = marks.filter((at) => pieces[at - 1]?.isHour)
    let hit = 0
    for (const mark of marks) {
      for (let at = mark; at > Math.max(hit, mark - LOOK_BACK); at--) {
        const entry = this.#entries.get(keys[at] as string)
        if (entry !== undefined && time - entry.used <= entry.life) hit = at
      }
    }
    const found = this.#entries.get(keys[hit] as string)
    if (found !== undefined) found.used = time
    for (const at of marks) {
      const life = LIVES[hours.includes(at) ? '1h' : '5m']
      this.#entries.set(keys[at] as string, { used: time, life })
    }
    const read = upTo[hit] as number
    const written = Math.max(0, (upTo[marks.at(-1) ?? 0] as number) - read)
    const hour = Math.max(0, (upTo[hours.at(-1) ?? 0] as number) - read)
    return {
      input_tokens: total - read - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
      output_tokens: 50,
    }
  }
}

interface Piece {
  text: string
  isMarked: boolean
  isHour: boolean
}

function piecesOf({ messages, system, thinking, tools }: Body): Piece[] {
  const piece = (block: Block, before = '') => {
    const { cache_control, ...said } = block
    const isHour = cache_control?.ttl === '1h'
    return { text: before + JSON.stringify(said), isMarked: cache_control !== undefined, isHour }
  }
  const said = messages.flatMap(({ content, role }, at) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const before = at === 0 ? JSON.stringify(thinking ?? {}) : ''
    return blocks.map((block: Block, index) => piece(block, index === 0 ? before + role : role))
  })
  return [...tools.map((tool) => piece(tool)), ...system.map((text) => piece(text)), ...said]
}
