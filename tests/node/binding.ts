/**
 * A simulated provider that binds signed reasoning to everything sent before it, with and without the
 * reasoning in it.
 */

export interface Block {
  type: string
  signature?: string
  [key: string]: unknown
}

export interface Message {
  role: string
  content: string | Block[]
}

interface Bound {
  signature: string
  behind: string
}

/** Two numbers of 32 bits. */
type Hash = readonly [one: number, two: number]

/** A block as its hash, its signature if it is reasoning, and whether it replaces everything before it. */
type Hashed = readonly [hash: Hash, signature: string | undefined, isCompaction: boolean]

/** Hashes by message: views reuse message objects, so each is hashed once. */
const hashes = new WeakMap<Message, readonly Hashed[]>()

function hashed(message: Message): readonly Hashed[] {
  const known = hashes.get(message)
  if (known !== undefined) return known
  const { role, content } = message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as Block] : content
  const made = blocks.map(
    (block): Hashed => [hash(`${role}:${JSON.stringify(block)}`), signatureOf(block), isCompaction(block)],
  )
  hashes.set(message, made)
  return made
}

function signatureOf({ type, signature, data }: Block): string | undefined {
  if (type === 'redacted_thinking') return String(data)
  return type === 'thinking' ? signature : undefined
}

const isCompaction = ({ type, content }: Block) => type === 'compaction' && typeof content === 'string'

/** Every signed block of a request with the hash of what precedes it. */
function signedBlocks(prefix: string, messages: readonly Message[]): Bound[] {
  const found: Bound[] = []
  const start = hash(prefix)
  let [whole, bare] = [start, start]
  for (const message of messages) {
    for (const [block, signature, isCompaction] of hashed(message)) {
      // The content that a compaction replaces is not checked any more.
      if (isCompaction) [whole, bare] = [start, start]
      if (signature === undefined) bare = joined(bare, block)
      else found.push({ signature, behind: `${whole} ${bare}` })
      whole = joined(whole, block)
    }
  }
  return found
}

/** The hash of what precedes a block, and the block. */
const joined = ([one, two]: Hash, block: Hash): Hash => [
  Math.imul(one ^ block[0], 0x01000193) ^ (one >>> 15),
  Math.imul(((two << 5) | (two >>> 27)) ^ block[1], 0x9e3779b1) ^ (two >>> 13),
]

function hash(text: string): Hash {
  let [one, two] = [0x811c9dc5, 0x9747b28c]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul((two << 5) ^ (two >>> 27) ^ unit, 0x9e3779b1)
  }
  return [one, two]
}

export class BindingProvider {
  readonly #bound = new Map<string, string>()

  /** The signatures for which the provider refuses a request. */
  refuses(messages: readonly Message[], prefix = ''): string[] {
    const isWrong = ({ signature, behind }: Bound) => this.#bound.get(signature) !== behind
    return signedBlocks(prefix, messages)
      .filter(isWrong)
      .map(({ signature }) => signature)
  }

  /** Records an answer: binds its signed blocks to the request. */
  answers(request: readonly Message[], answer: Message, prefix = ''): void {
    for (const { signature, behind } of signedBlocks(prefix, [...request, answer]))
      if (!this.#bound.has(signature)) this.#bound.set(signature, behind)
  }
}

/** Number of signed blocks. */
export const signedIn = (messages: readonly Message[]): number => signedBlocks('', messages).length

/** The same session with a signed block of `chars` characters at the beginning of each answer. */
export function withThinking(messages: readonly Message[], chars = 240): Message[] {
  return messages.map((message, i) => {
    if (message.role !== 'assistant') return message
    const content =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content
    const rest = content.filter(({ type }) => type !== 'thinking' && type !== 'redacted_thinking')
    const thinking = { type: 'thinking', thinking: `${i} `.repeat(chars).slice(0, chars), signature: `s${i}` }
    return { role: 'assistant', content: [thinking, ...rest] }
  })
}
