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
    const keys = keysOf(entries)
    const name = keys.join()
    const shape = SEVERAL_CALLS.test(name) ? CALLS : SHAPES.indexOf(name)
    const isOther = shape === OTHER
    // The second value is that of the last entry, or the list of the calls' arguments.
    const second = shape === CALLS ? argumentsOf(entries) : entries.at(-1)
    this.#shapes.push(shape)
    this.#first.push(isOther ? undefined : entries[ENTRY * (keys[1] === 'length' ? 3 : 0) + VALUE])
    this.#second.push(isOther ? undefined : second)
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
type Calls = readonly ({ function?: { arguments?: unknown } | null } | null | undefined)[] | undefined
type Blocks =
  | readonly ({ text?: unknown; input?: unknown; content?: unknown } | null | undefined)[]
  | undefined

/** The sequences of fields that were read, in the order of the cases in {@link isUnchangedShape}. */
const SHAPES = [
  'content',
  'content,tool_calls',
  'content,metadata',
  'content,tool_calls,length,0,function,arguments',
  'content,length,0,text',
  'content,length,0,input',
  'content,length,0,content,metadata',
  'content,length,0,text,1,input',
]
const OTHER = -1
/** Several calls: the second value is the list of their arguments. */
const CALLS = 8
const SEVERAL_CALLS = /^content,tool_calls,length(,\d+,function,arguments){2,}$/

function argumentsOf(entries: Entries): unknown[] {
  const values: unknown[] = []
  for (let at = 0; at < entries.length; at += ENTRY)
    if (keyOf(entries[at] as number) === 'arguments') values.push(entries[at + VALUE])
  return values
}

function isUnchangedShape(shape: number, message: Message, first: unknown, second: unknown): boolean {
  switch (shape) {
    case 0:
      return Object.is(message.content, first)
    case 1:
      return Object.is(message.content, first) && Object.is(message.tool_calls, second)
    case 2:
      return Object.is(message.content, first) && Object.is(message.metadata, second)
    case 3: {
      const calls = message.tool_calls as Calls
      return (
        Object.is(message.content, first) &&
        calls?.length === 1 &&
        Object.is(calls[0]?.function?.arguments, second)
      )
    }
    case CALLS:
      return Object.is(message.content, first) && areSameCalls(message, second as readonly unknown[])
    default:
      return areUnchangedBlocks(shape, message, first, second)
  }
}

/** Apart from the other shapes: V8 makes small functions part of the loop that calls them. */
function areUnchangedBlocks(shape: number, message: Message, first: unknown, second: unknown): boolean {
  const blocks = message.content as Blocks
  if (blocks?.length !== (shape === 7 ? 2 : 1)) return false
  switch (shape) {
    case 4:
      return Object.is(blocks[0]?.text, first)
    case 5:
      return Object.is(blocks[0]?.input, first)
    case 6:
      return Object.is(blocks[0]?.content, first) && Object.is(message.metadata, second)
    default:
      return Object.is(blocks[0]?.text, first) && Object.is(blocks[1]?.input, second)
  }
}

function areSameCalls(message: Message, values: readonly unknown[]): boolean {
  const calls = message.tool_calls as Calls
  if (calls?.length !== values.length) return false
  for (let i = 0; i < values.length; i++)
    if (!Object.is(calls[i]?.function?.arguments, values[i])) return false
  return true
}
