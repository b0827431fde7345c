/**
 * Values of the host's objects at the time they were copied into edited messages.
 *
 * The engine notices changes only of what it reads. An id, or a cache breakpoint that a host moves in place,
 * is also in the copies, but not in the engine's facts.
 *
 * Thousands of objects are checked at every step, so all records are in one flat list that is read from front
 * to back. For each object: the message's position, the object, its field names, the number of values, the
 * values.
 */
export class CopiedObjects {
  readonly #all: unknown[] = []
  /** The first message of each object: a host may use one in several messages. */
  readonly #known = new Map<unknown, number>()
  /** The last message that has records. */
  #last = -1

  /** Records objects of the message at `index`, which are copied now. */
  add(index: number, nodes: readonly object[]): void {
    const all = this.#all
    for (const node of nodes) {
      if ((this.#known.get(node) ?? index + 1) <= index) continue
      this.#known.set(node, index)
      const isList = Array.isArray(node)
      const keys = isList ? LIST : shapeOf(namesIn(node))
      const values = isList ? node : keys.map((key) => (node as Fields)[key])
      all.push(index, node, keys, values.length)
      for (const value of values as readonly unknown[]) all.push(value)
    }
    this.#last = Math.max(this.#last, index)
  }

  /** Drops the records of messages from `length` on. */
  forget(length: number): void {
    if (this.#last < length) return
    const all = this.#all
    let end = 0
    for (let at = 0, next = 0; at < all.length; at = next) {
      next = at + HEAD + (all[at + HEAD - 1] as number)
      if ((all[at] as number) >= length) this.#known.delete(all[at + 1])
      else for (let i = at; i < next; i++) all[end++] = all[i]
    }
    all.length = end
    this.#last = length - 1
  }

  /**
   * Returns the first of the first `length` messages in which an object has changed; `length` if none has.
   */
  firstChanged(length: number): number {
    const all = this.#all
    let first = length
    for (let at = 0; at < all.length; at += HEAD + (all[at + HEAD - 1] as number)) {
      if ((all[at] as number) < first && !isSame(all, at)) first = all[at] as number
    }
    return first
  }
}

/** Whether the object at this place of the list still has its recorded values. */
function isSame(all: readonly unknown[], at: number): boolean {
  const shape = all[at + 2]
  return shape === RESULT
    ? isSameResult(all, at)
    : shape === LIST
      ? isSameList(all, at)
      : hasSameFields(all, at)
}

/** The most frequent shape. Fields accessed by name take half the time. */
function isSameResult(all: readonly unknown[], at: number): boolean {
  const node = all[at + 1] as Fields
  return (
    Object.is(node.content, all[at + HEAD + 2]) &&
    Object.is(node.tool_call_id, all[at + HEAD + 1]) &&
    Object.is(node.role, all[at + HEAD]) &&
    Object.keys(node).length === RESULT.length
  )
}

function hasSameFields(all: readonly unknown[], at: number): boolean {
  const keys = all[at + 2] as readonly string[]
  const node = all[at + 1] as Fields
  let i = 0
  // Field names are enumerated in a fixed order, that of the JSON.
  for (const key in node) {
    if (keys[i] !== key || !Object.is(node[key], all[at + HEAD + i])) return false
    i++
  }
  return i === keys.length
}

function isSameList(all: readonly unknown[], at: number): boolean {
  const list = all[at + 1] as readonly unknown[]
  if (list.length !== all[at + HEAD - 1]) return false
  for (let i = 0; i < list.length; i++) if (!Object.is(list[i], all[at + HEAD + i])) return false
  return true
}

type Fields = Record<string, unknown>

const HEAD = 4
/** The fields of a tool message in the chat format. */
const RESULT: readonly string[] = ['role', 'tool_call_id', 'content']

/** All enumerable field names, including those in the prototype of an old-style class. */
function namesIn(node: object): string[] {
  const names: string[] = []
  for (const name in node) names.push(name)
  return names
}

/** Marks a list in place of field names. */
const LIST: readonly string[] = []

/** Returns a shared list of field names for all objects with the same names: messages have few shapes. */
function shapeOf(keys: readonly string[]): readonly string[] {
  const name = keys.join('\n')
  const known = shapes.get(name)
  if (known !== undefined) return known
  if (shapes.size >= SHAPES_LIMIT) shapes = new Map(KNOWN_SHAPES)
  shapes.set(name, keys)
  return keys
}

const KNOWN_SHAPES: [string, readonly string[]][] = [[RESULT.join('\n'), RESULT]]
const SHAPES_LIMIT = 256
let shapes = new Map(KNOWN_SHAPES)
