import { type BlockFacts, type Format, type MessageFacts, type NeutralHistory, readMessages } from 'trimtab'

/** What the thread, the cards and the panel ask of a history. */
export type History = Pick<NeutralHistory, 'messages' | 'textOf' | 'argumentsOf' | 'callOf' | 'resultOf'>

interface Halves {
  call?: BlockFacts
  result?: BlockFacts
}

/**
 * A history that was read elsewhere: its facts are here, and of its messages only those that are looked at are read. With 10,000
 * messages that is the difference between a page that answers and one that stands still.
 */
export class RecordedHistory implements History {
  readonly messages: readonly MessageFacts[]
  readonly #source: readonly object[]
  readonly #format: Format
  /** Those of the whole session. */
  readonly facts: readonly MessageFacts[]
  readonly #halves: ReadonlyMap<number, Readonly<Halves>>

  constructor(
    source: readonly object[],
    format: Format,
    facts: readonly MessageFacts[],
    halves: ReadonlyMap<number, Readonly<Halves>> = halvesOf(facts),
    length = facts.length,
  ) {
    this.#source = source
    this.#format = format
    this.facts = facts
    this.#halves = halves
    this.messages = length === facts.length ? facts : facts.slice(0, length)
  }

  /** The first `length` messages. */
  before(length: number): RecordedHistory {
    return new RecordedHistory(this.#source, this.#format, this.facts, this.#halves, length)
  }

  textOf({ message, block }: Pick<BlockFacts, 'message' | 'block'>): string {
    return this.#alone(message).textOf({ message: 0, block })
  }

  argumentsOf(call: BlockFacts): Record<string, unknown> | string {
    return this.#alone(call.message).argumentsOf({ ...call, message: 0 })
  }

  callOf({ toolUse }: BlockFacts): BlockFacts | undefined {
    return this.#within(toolUse === null ? undefined : this.#halves.get(toolUse)?.call)
  }

  resultOf({ toolUse }: BlockFacts): BlockFacts | undefined {
    return this.#within(toolUse === null ? undefined : this.#halves.get(toolUse)?.result)
  }

  #alone(message: number): NeutralHistory {
    return readMessages([this.#source[message] as object], { format: this.#format })
  }

  #within(block: BlockFacts | undefined): BlockFacts | undefined {
    return block !== undefined && block.message < this.messages.length ? block : undefined
  }
}

/** The facts that a history is a beginning of: what is worked out of them holds for each of its beginnings. */
export const factsOf = (history: History): readonly MessageFacts[] =>
  history instanceof RecordedHistory ? history.facts : history.messages

function halvesOf(facts: readonly MessageFacts[]): Map<number, Halves> {
  const halves = new Map<number, Halves>()
  for (const { blocks } of facts) {
    for (const block of blocks) {
      if (block.toolUse === null) continue
      const half = halves.get(block.toolUse) ?? {}
      if (block.kind === 'tool-call') half.call = block
      else half.result = block
      halves.set(block.toolUse, half)
    }
  }
  return halves
}
