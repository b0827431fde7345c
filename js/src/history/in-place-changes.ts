import { CopiedObjects } from './copied-objects.js'
import { isUnchanged, keyOf, numberOf } from './watched-fields.js'

/**
 * Detects changes that a host makes in place after a message was read. Records every field and list entry
 * from which the engine took a text, with its value.
 *
 * Checking compares references, not contents, with `Object.is`: `===` also inspects the type of each value,
 * which loads the headers of thousands of strings from memory at every step and takes a fifth of the time of
 * a step.
 *
 * Most messages have one of a few shapes that two values determine. They are stored as a shape and two
 * values, and each is checked with one expression. For all others every entry is checked, which takes twice
 * as long.
 */
export class InPlaceChanges {
  readonly #shapes: number[] = []
  readonly #messages: Message[] = []
  readonly #first: unknown[] = []
  readonly #second: unknown[] = []
  /** Entries of messages of other shapes. */
  readonly #others: (Entries | undefined)[] = []
  /** Values that were copied into edited messages. */
  readonly copies = new CopiedObjects()
  /** Entries of the last message, which is being read. */
  #open: Entries = []

  /** Starts the records of the message at `index`. */
  begin(index: number, message: object): void {
    this.#close()
    this.forget(index)
    this.#messages.push(message as Message)
  }

  field(holder: object, key: string, value: unknown): void {
    this.#open.push(numberOf(key), holder, value)
  }

  item(list: readonly unknown[], index: number, value: unknown): void {
    this.#open.push(-1 - index, list, value)
  }

  length(list: readonly unknown[]): void {
    this.field(list, 'length', list.length)
  }

  #close(): void {
    if (this.#messages.length === this.#shapes.length) return
    const entries = this.#open
    const shape = shapeOf(keysOf(entries).join())
    const isOther = shape === OTHER
    this.#shapes.push(shape)
    this.#first.push(isOther ? undefined : entries[ENTRY * (FIRST[shape] as number) + VALUE])
    this.#second.push(isOther ? undefined : shape === CALLS ? argumentsOf(entries) : entries.at(-1))
    this.#others.push(isOther ? entries : undefined)
    this.#open = []
  }

  /** Drops the entries of messages from `length` on. */
  forget(length: number): void {
    this.copies.forget(length)
    if (length >= this.#messages.length) return
    this.#close()
    for (const list of [this.#shapes, this.#messages, this.#first, this.#second, this.#others])
      list.length = length
  }

  /**
   * Returns how many of `messages`, from the beginning, are the messages that were read, without changes in
   * place.
   */
  countUnchanged(messages: readonly object[]): number {
    this.#close()
    const shapes = this.#shapes
    const seen = this.#messages
    const first = this.#first
    const second = this.#second
    const length = Math.min(messages.length, seen.length)
    for (let i = 0; i < length; i++) {
      const message = seen[i] as Message
      if (messages[i] !== message) return this.copies.firstChanged(i)
      const isSame =
        shapes[i] === OTHER
          ? areUnchanged(this.#others[i] as Entries)
          : isUnchangedShape(shapes[i] as number, message, first[i], second[i])
      if (!isSame) return this.copies.firstChanged(i)
    }
    return this.copies.firstChanged(length)
  }
}

/** A flat list; per entry: the number of the field, the object, the value. */
type Entries = unknown[]
const ENTRY = 3
const VALUE = 2

function areUnchanged(entries: Entries): boolean {
  for (let at = 0; at < entries.length; at += ENTRY) {
    const holder = entries[at + 1] as Record<string | number, unknown>
    if (!isUnchanged(entries[at] as number, holder, entries[at + VALUE])) return false
  }
  return true
}

function keysOf(entries: Entries): (string | number)[] {
  const keys: (string | number)[] = []
  for (let at = 0; at < entries.length; at += ENTRY) keys.push(keyOf(entries[at] as number))
  return keys
}

/**
 * The part of a message that the shapes check. A host may have replaced any of it, so each access is guarded.
 */
interface Message {
  content?: unknown
  metadata?: unknown
  tool_calls?: unknown
}
type Call = { function?: { arguments?: unknown } | null } | null | undefined
type Block = { text?: unknown; input?: unknown; content?: unknown } | null | undefined

const TEXT = 0
const TEXT_WITH_CALLS = 1
const RESULT = 2
const CALL = 3
const BLOCK_TEXT = 4
const BLOCK_INPUT = 5
const BLOCK_RESULT = 6
const BLOCK_TEXT_INPUT = 7
const CALLS = 8
const OTHER = 9

/** The shape for each sequence of fields that were read. */
const SHAPES = new Map<string, number>([
  ['content', TEXT],
  ['content,tool_calls', TEXT_WITH_CALLS],
  ['content,metadata', RESULT],
  ['content,tool_calls,length,0,function,arguments', CALL],
  ['content,length,0,text', BLOCK_TEXT],
  ['content,length,0,input', BLOCK_INPUT],
  ['content,length,0,content,metadata', BLOCK_RESULT],
  ['content,length,0,text,1,input', BLOCK_TEXT_INPUT],
])

/** Several calls: the second value is the list of their arguments. */
const SEVERAL_CALLS = /^content,tool_calls,length(,\d+,function,arguments)+$/

const shapeOf = (keys: string): number => SHAPES.get(keys) ?? (SEVERAL_CALLS.test(keys) ? CALLS : OTHER)

function argumentsOf(entries: Entries): unknown[] {
  const values: unknown[] = []
  for (let at = 0; at < entries.length; at += ENTRY)
    if (keyOf(entries[at] as number) === 'arguments') values.push(entries[at + VALUE])
  return values
}

/**
 * By shape: the entry with the first value. The second value is that of the last entry, except for several
 * calls.
 */
const FIRST = [0, 0, 0, 0, 3, 3, 3, 3, 0]

function isUnchangedShape(shape: number, message: Message, first: unknown, second: unknown): boolean {
  switch (shape) {
    case TEXT:
      return Object.is(message.content, first)
    case TEXT_WITH_CALLS:
      return Object.is(message.content, first) && Object.is(message.tool_calls, second)
    case RESULT:
      return Object.is(message.content, first) && Object.is(message.metadata, second)
    case CALL: {
      const calls = message.tool_calls as readonly Call[] | undefined
      return (
        Object.is(message.content, first) &&
        calls?.length === 1 &&
        Object.is(calls[0]?.function?.arguments, second)
      )
    }
    case CALLS:
      return Object.is(message.content, first) && areUnchangedCalls(message, second as readonly unknown[])
    default:
      return isUnchangedBlocks(shape, message.content as readonly Block[] | undefined, message, first, second)
  }
}

function areUnchangedCalls(message: Message, values: readonly unknown[]): boolean {
  const calls = message.tool_calls as readonly Call[] | undefined
  if (calls?.length !== values.length) return false
  for (let i = 0; i < values.length; i++)
    if (!Object.is(calls[i]?.function?.arguments, values[i])) return false
  return true
}

function isUnchangedBlocks(
  shape: number,
  blocks: readonly Block[] | undefined,
  message: Message,
  first: unknown,
  second: unknown,
): boolean {
  switch (shape) {
    case BLOCK_TEXT:
      return blocks?.length === 1 && Object.is(blocks[0]?.text, first)
    case BLOCK_INPUT:
      return blocks?.length === 1 && Object.is(blocks[0]?.input, first)
    case BLOCK_RESULT:
      return (
        blocks?.length === 1 && Object.is(blocks[0]?.content, first) && Object.is(message.metadata, second)
      )
    default:
      return blocks?.length === 2 && Object.is(blocks[0]?.text, first) && Object.is(blocks[1]?.input, second)
  }
}
