import { markStub } from './stubs.js'

/** A step from a message to the place of an edit: a field's name or a list's index. */
export type PathStep = string | number

/** One edit of a message: what stands at `path` now, or nothing. */
export interface MessageEdit {
  path: readonly PathStep[]
  /** The text that stands in for the content there; `undefined` takes the block out. */
  text: string | undefined
}

/**
 * A copy of `message` with its edits made. Everything that is not on the way to an edit is the host's own object, and
 * no object gains a field. Edits come in the order of their places; they are made from the last to the first, so that
 * taking one out does not move the others.
 */
export function editMessage<M extends object>(message: M, edits: readonly MessageEdit[]): M {
  let edited = message
  for (let i = edits.length - 1; i >= 0; i--) {
    const { path, text } = edits[i] as MessageEdit
    edited = (text === undefined ? removeAt(edited, path) : replaceAt(edited, path, text)) as M
  }
  return edited
}

type Node = Record<PathStep, unknown>

function replaceAt(node: object, path: readonly PathStep[], text: string): object {
  const [step, ...rest] = path as [PathStep, ...PathStep[]]
  const copy = shallowCopy(node)
  const value = (node as Node)[step]
  if (rest.length > 0) {
    copy[step] = replaceAt(value as object, rest, text)
  } else {
    copy[step] = replaceContent(value, text)
    markStub(copy)
  }
  return copy
}

/** A list stays a list, and its first text part keeps its other fields (a cache breakpoint, for one). */
function replaceContent(content: unknown, text: string): unknown {
  if (!Array.isArray(content)) return text
  const part: unknown = content.find((part) => part?.type === 'text')
  return [part === undefined ? { type: 'text', text } : Object.assign(shallowCopy(part as object), { text })]
}

function removeAt(node: object, path: readonly PathStep[]): object {
  const [step, ...rest] = path as [PathStep, ...PathStep[]]
  if (rest.length === 0) return (node as unknown[]).filter((_, index) => index !== step)
  const copy = shallowCopy(node)
  const child = removeAt((node as Node)[step] as object, rest)
  // Providers refuse an empty list of calls.
  if (Array.isArray(child) && child.length === 0) delete copy[step]
  else copy[step] = child
  return copy
}

/** A copy of the same class with the same own fields. */
export function shallowCopy(object: object): Node {
  if (Array.isArray(object)) return object.slice() as unknown as Node
  if (Object.getPrototypeOf(object) === Object.prototype) return { ...object } as Node
  const fields = Object.getOwnPropertyDescriptors(object)
  for (const field of Object.values(fields)) {
    // A frozen object's fields are read-only; its copy is edited and then left alone.
    if ('value' in field) field.writable = true
    field.configurable = true
  }
  return Object.create(Object.getPrototypeOf(object), fields) as Node
}
