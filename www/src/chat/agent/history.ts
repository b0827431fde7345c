import { type BlockFacts, type Format, type MessageFacts, type NeutralHistory, readMessages } from 'trimtab'
import { sameBeginning } from '../same-beginning.js'
import { RecentTexts } from './recent-texts.js'

const recent = new RecentTexts()

/** The part of a history that the thread, the cards and the panel use. */
export type History = Pick<NeutralHistory, 'messages' | 'textOf' | 'argumentsOf' | 'callOf' | 'resultOf'>

interface Halves {
  readonly call?: BlockFacts
  readonly result?: BlockFacts
}

/** The calls and results of a history. */
interface Pairs {
  readonly halves: ReadonlyMap<number, Halves>
  /** Number of calls that the client has to answer, and that have no result. */
  readonly open: number
}

/**
 * A history whose facts are already known; its messages are read only when they are viewed. With 10,000 messages,
 * reading them all would block the page.
 */
export class RecordedHistory implements History {
  readonly messages: readonly MessageFacts[]
  /** The messages of the whole session. */
  readonly #source: readonly object[]
  readonly #format: Format
  /** The facts of the whole session. */
  readonly facts: readonly MessageFacts[]
  readonly #pairs: Pairs

  constructor(
    source: readonly object[],
    format: Format,
    facts: readonly MessageFacts[],
    pairs: Pairs = pairsOf(facts),
    length = facts.length,
  ) {
    this.#source = source
    this.#format = format
    this.facts = facts
    this.#pairs = pairs
    this.messages = length === facts.length ? facts : facts.slice(0, length)
  }

  /** Returns a history without messages. */
  static empty(format: Format): RecordedHistory {
    return new RecordedHistory([], format, [])
  }

  /** Returns the history of the first `length` messages. */
  before(length: number): RecordedHistory {
    return new RecordedHistory(this.#source, this.#format, this.facts, this.#pairs, length)
  }

  /**
   * Returns the history of messages that share a prefix with this one: only new messages are read. Facts of the earlier
   * messages are not updated by later ones (`isSuperseded`).
   */
  of(messages: readonly object[]): RecordedHistory {
    const same = sameBeginning(this.#source, messages)
    if (same === messages.length) return this.before(same)
    const from = endOfExchange(this.facts, same)
    const known = this.facts.slice(0, from)
    const { messages: read } = readMessages(messages.slice(from), { format: this.#format })
    const next = following(known, read)
    const facts = [...known, ...next]
    const goesOn = from === this.facts.length
    const pairs = goesOn ? pairsOf(next, this.#pairs) : pairsOf(facts)
    return new RecordedHistory(messages, this.#format, facts, pairs)
  }

  textOf({ message, block }: Pick<BlockFacts, 'message' | 'block'>): string {
    const read = () => this.#alone(message).textOf({ message: 0, block })
    return recent.textOf(this.#source[message] as object, block, read)
  }

  argumentsOf(call: BlockFacts): Record<string, unknown> | string {
    return this.#alone(call.message).argumentsOf({ ...call, message: 0 })
  }

  callOf({ toolUse }: BlockFacts): BlockFacts | undefined {
    return this.#within(toolUse === null ? undefined : this.#pairs.halves.get(toolUse)?.call)
  }

  resultOf({ toolUse }: BlockFacts): BlockFacts | undefined {
    return this.#within(toolUse === null ? undefined : this.#pairs.halves.get(toolUse)?.result)
  }

  /** Whether a call that the client has to answer has no result. */
  get hasOpenCalls(): boolean {
    if (this.messages.length === this.facts.length) return this.#pairs.open > 0
    return this.messages.some(({ blocks }) => blocks.some((block) => isOpenCall(block, this)))
  }

  #alone(message: number): NeutralHistory {
    return readMessages([this.#source[message] as object], { format: this.#format })
  }

  #within(block: BlockFacts | undefined): BlockFacts | undefined {
    return block !== undefined && block.message < this.messages.length ? block : undefined
  }
}

/** Whether a block is a call that the client has to answer, and that has no result. */
export const isOpenCall = (block: BlockFacts, history: History): boolean =>
  block.kind === 'tool-call' && !block.providerExecuted && history.resultOf(block) === undefined

/** Whether the model has to answer: the history ends with a prompt, results, or calls that were never answered. */
export function isUnanswered(history: History): boolean {
  const last = history.messages.at(-1)
  if (last === undefined) return false
  return last.role !== 'assistant' || last.blocks.some((block) => isOpenCall(block, history))
}

/** Returns the facts that a history is a prefix of: values computed from them hold for every prefix. */
export const factsOf = (history: History): readonly MessageFacts[] =>
  history instanceof RecordedHistory ? history.facts : history.messages

/**
 * Memoizes a computation over a history: it runs once per history, and starts from the previous result, as most
 * histories continue the one before.
 */
export function workedOut<T>(make: (history: History, before: T | undefined) => T): (history: History) => T {
  const made = new WeakMap<readonly MessageFacts[], T>()
  let last: T | undefined
  return (history) => {
    const facts = factsOf(history)
    const known = made.get(facts)
    if (known !== undefined) return known
    last = make(history, last)
    made.set(facts, last)
    return last
  }
}

/**
 * Returns the index from which a history can be read separately: results are read together with their calls, so not
 * between them.
 */
function endOfExchange(facts: readonly MessageFacts[], length: number): number {
  const answer = facts.slice(0, length).findLastIndex(({ role }) => role === 'assistant')
  const after = facts.slice(answer + 1, length).flatMap(({ blocks }) => blocks)
  const answered = new Set(after.map(({ toolUse }) => toolUse))
  const calls = facts[answer]?.blocks.filter(({ kind }) => kind === 'tool-call') ?? []
  return calls.every(({ toolUse }) => answered.has(toolUse)) ? length : answer
}

/** Shifts the facts of messages that were read separately, so that they follow the facts before them. */
function following(before: readonly MessageFacts[], facts: readonly MessageFacts[]): MessageFacts[] {
  const { length } = before
  const steps = before.at(-1)?.step ?? 0
  const uses = before.reduce(
    (most, { blocks }) => blocks.reduce((one, { toolUse }) => Math.max(one, (toolUse ?? -1) + 1), most),
    0,
  )
  return facts.map((message) => ({
    ...message,
    step: message.step + steps,
    blocks: message.blocks.map((block) => ({
      ...block,
      message: block.message + length,
      toolUse: block.toolUse === null ? null : block.toolUse + uses,
      step: block.step + steps,
    })),
  }))
}

/** @param before The calls and results of the messages before. */
function pairsOf(facts: readonly MessageFacts[], before?: Pairs): Pairs {
  const halves = new Map(before?.halves)
  let open = before?.open ?? 0
  for (const { blocks } of facts) {
    for (const block of blocks) {
      const isCall = block.kind === 'tool-call'
      const half = block.toolUse === null ? {} : halves.get(block.toolUse)
      // A new object, as a shorter history may hold the old one.
      const next = { ...half, ...(isCall ? { call: block } : { result: block }) }
      if (block.toolUse !== null) halves.set(block.toolUse, next)
      if (block.toolUse !== null || isCall) open += countOpen(next) - countOpen(half)
    }
  }
  return { halves, open }
}

const countOpen = ({ call, result }: Halves = {}): 0 | 1 =>
  call === undefined || call.providerExecuted || result !== undefined ? 0 : 1
