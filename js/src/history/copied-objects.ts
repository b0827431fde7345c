/**
 * What objects of the host's held when they were copied for edited messages.
 *
 * The engine notices changes of what it reads. An id, or a cache breakpoint that a host moves in place, stands in copies
 * as well, and is in none of the engine's facts.
 *
 * Thousands of objects are looked through at every step, so all that is known of them is in one list, which is read from
 * front to back: of each the message's position, the object, the names of its fields, how many they are, their values.
 */
export class CopiedObjects {
  readonly #all: unknown[] = []
  /** The first message of each object: a host may have it in several. */
  readonly #known = new Map<unknown, number>()
  /** The last message that any of them belongs to. */
  #last = -1

  /** These objects of the message at `index` are copied now. */
  add(index: number, nodes: readonly object[]): void {
    const all = this.#all
    for (const node of nodes) {
      if ((this.#known.get(node) ?? Number.POSITIVE_INFINITY) <= index) continue
      this.#known.set(node, index)
      const isList = Array.isArray(node)
      const keys = isList ? LIST : shapeOf(namesIn(node))
      const values = isList ? node : keys.map((key) => (node as Fields)[key])
      all.push(index, node, keys, values.length)
      for (const value of values as readonly unknown[]) all.push(value)
    }
    this.#last = Math.max(this.#last, index)
  }

  /** Drops what belongs to messages from `length` on. */
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

  /** The first message among the first `length` of which an object holds something else now, or `length`. */
  firstChanged(length: number): number {
    const all = this.#all
    let first = length
    for (let at = 0; at < all.length; at += HEAD + (all[at + HEAD - 1] as number)) {
      if ((all[at] as number) < first && !isSame(all, at)) first = all[at] as number
    }
    return first
  }
}

/** Whether the object at this place holds what it held. */
function isSame(all: readonly unknown[], at: number): boolean {
  const shape = all[at + 2]
  return shape === RESULT
    ? isSameResult(all, at)
    : shape === LIST
      ? isSameList(all, at)
      : hasSameFields(all, at)
}

/** The most frequent of all by name, which takes half of the time. */
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
  // Names come in their order, which is that of the JSON.
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
/** The fields of a tool's message in the chat format. */
const RESULT: readonly string[] = ['role', 'tool_call_id', 'content']

/** As they are looked through: also those of an older class, which stand in its prototype. */
function namesIn(node: object): string[] {
  const names: string[] = []
  for (const name in node) names.push(name)
  return names
}

/** Stands where the names of fields would. */
const LIST: readonly string[] = []

/** The names of fields, in one list for all objects that have the same: messages have few shapes. */
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
