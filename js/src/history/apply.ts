import { copyOf } from '../base/check.js'
import { grouped } from '../base/lists.js'
import { currentReader } from '../engine/core.js'
import type { Slot } from '../generated/types.js'
import { isStub, markStub } from './stubs.js'

/** One step on the path from a message to an edit: a field's name or a list's index. */
export type PathStep = string | number

/** One edit of a message: replaces the content at `path`, or removes it. */
export interface MessageEdit {
  path: readonly PathStep[]
  /** The kind of content at `path`, which determines a form of the edit that the provider accepts. */
  slot: Slot
  /** The stub that replaces the content; `null` removes the block. */
  text: string | null
}

/**
 * Returns a copy of `message` with edits applied. Everything that is not on the path to an edit is the host's
 * own object, and no object gains a field. The edits must be in the order of their places: siblings are
 * copied once, however many edits they contain.
 */
export function editMessage<M extends object>(message: M, edits: readonly MessageEdit[]): M {
  return edits.length === 0 ? message : (editNode(message, edits, 0) as M)
}

/**
 * The host's objects whose fields are copied into an edited message: those on the path to each edit, and its
 * content.
 */
export function copiedNodes(message: object, edits: readonly MessageEdit[]): object[] {
  const nodes = new Set<object>()
  for (const { path } of edits) {
    let node: unknown = message
    for (const step of path) {
      nodes.add(node as object)
      node = (node as Node)[step]
    }
    addFields(nodes, node)
  }
  return [...nodes]
}

/**
 * Adds the content and its parts: a stub takes over fields of the content, or of the first text part of a
 * list.
 */
function addFields(nodes: Set<object>, content: unknown): void {
  const parts = Array.isArray(content) ? (copyOf(content) as unknown[]) : []
  for (const part of [content, ...parts]) if (typeof part === 'object' && part !== null) nodes.add(part)
}

type Node = Record<PathStep, unknown>

/** Returns a copy of the object at some depth of a message, with the edits applied. */
function editNode(node: object, edits: readonly MessageEdit[], depth: number): object {
  const copy = shallowCopy(node)
  const gone = new Set<PathStep>()
  for (const [step, group] of byStep(edits, depth)) {
    const deeper = group.filter(({ path }) => path.length > depth + 1)
    if (deeper.length > 0) putEdited(copy, step, (node as Node)[step] as object, deeper, depth + 1)
    if (step === 'tool_calls') dropCopies(copy, deeper, (node as Node)[step] as readonly Node[])
    for (const edit of group) {
      if (edit.path.length > depth + 1) continue
      if (edit.text === null) gone.add(step)
      else putStub(copy, step, edit, node)
    }
  }
  if (Array.isArray(copy) && gone.size > 0) return copy.filter((_, index) => !gone.has(index))
  for (const step of gone) delete copy[step]
  return copy
}

/** Groups edits by the step that they take at some depth. Most messages have a single edit. */
function byStep(edits: readonly MessageEdit[], depth: number): Iterable<[PathStep, readonly MessageEdit[]]> {
  const stepOf = ({ path }: MessageEdit) => path[depth] as PathStep
  return edits.length === 1 ? [[stepOf(edits[0] as MessageEdit), edits]] : grouped(edits, stepOf)
}

function putEdited(
  copy: Node,
  step: PathStep,
  value: object,
  edits: readonly MessageEdit[],
  depth: number,
): void {
  const child = editNode(value, edits, depth)
  const isEmpty = (child as unknown[]).length === 0
  if (isEmpty && edits[0]?.slot === 'entry') delete copy[step]
  // Beside calls, providers accept an empty text, and no empty list.
  else put(copy, step, isEmpty && step === 'content' ? '' : child)
}

/** Removes calls a second time: LangChain's messages also contain the calls in the provider's form. */
function dropCopies(copy: Node, edits: readonly MessageEdit[], calls: readonly Node[]): void {
  const removed = edits.filter(({ slot, text }) => slot === 'entry-of-list' && text === null)
  const ids = new Set(removed.map(({ path }) => calls[path.at(-1) as number]?.id))
  if (ids.size === 0) return
  const stays = (entry: Node | null) => !ids.has(entry?.call_id ?? entry?.id)
  const dropFrom = (holder: Node, key: string) => {
    const list = holder[key]
    if (Array.isArray(list) && !list.every(stays)) put(holder, key, list.filter(stays))
  }
  dropFrom(copy, 'content')
  dropFrom(copy, 'tool_call_chunks')
  for (const [field, key] of [
    ['additional_kwargs', 'tool_calls'],
    ['response_metadata', 'output'],
  ] as const) {
    const holder = copy[field]
    if (typeof holder !== 'object' || holder === null) continue
    const other = shallowCopy(holder)
    dropFrom(other, key)
    put(copy, field, other)
  }
}

function putStub(copy: Node, step: PathStep, { slot, text }: MessageEdit, node: object): void {
  put(copy, step, stubFor(copy[step], slot, text as string))
  // Edited arguments do not make a part a stub: a part with call and result is one only if its result was
  // replaced.
  if (slot !== 'arguments' || isStub(node)) markStub(copy)
}

/**
 * Sets a field of the copy. If the class has a getter without a setter, the copy gets an own property that
 * shadows it.
 */
function put(copy: Node, step: PathStep, value: unknown): void {
  if (Reflect.set(copy, step, value)) return
  Object.defineProperty(copy, step, { value, writable: true, enumerable: true, configurable: true })
}

function stubFor(content: unknown, slot: Slot, text: string): unknown {
  switch (slot) {
    case 'model-output':
      return stubOutput(content as Node | string, text)
    case 'function-response':
      return stubAnswer(content as Node, text)
    case 'arguments':
      return typeof content === 'string' ? text : (JSON.parse(text) as unknown)
    case 'raw-output':
      return text
    case 'responses-output':
      if (Array.isArray(content)) return stubItems(content, text)
      return typeof content === 'object' && content !== null ? blankScreen() : text
    default:
      return Array.isArray(content) ? [stubPart(content, 'text', text)] : text
  }
}

/**
 * Replaces the parts with one text part, which keeps the other fields of the first one (such as a cache
 * breakpoint).
 */
function stubPart(parts: readonly unknown[], type: string, text: string): unknown {
  const part = parts.find((part) => (part as Node | null)?.type === type)
  return part === undefined ? { type, text } : Object.assign(shallowCopy(part as object), { text })
}

/**
 * OpenAI accepts only a screenshot as the result of its computer tool. This one is a white pixel, which the
 * engine recognises (`Word::BlankScreen`).
 */
function blankScreen(): object {
  const image_url = [...currentReader().words.keys()].find((word) => word.startsWith('data:'))
  return { type: 'computer_screenshot', image_url }
}

/** Replaces a list of output parts. For a shell's output the last part is kept, with its outcome. */
function stubItems(parts: readonly unknown[], text: string): unknown[] {
  const last: unknown = parts.at(-1)
  const isShell = typeof last === 'object' && last !== null && 'stdout' in last
  return [
    isShell
      ? Object.assign(shallowCopy(last), { stdout: text, stderr: '' })
      : stubPart(parts, 'input_text', text),
  ]
}

/** Replaces a Gemini response. Images beside it are removed; id and name stay. */
function stubAnswer(answer: Node, text: string): unknown {
  const { parts: _parts, ...copy } = answer
  const failed = (copy.response as Node | null | undefined)?.error != null
  return { ...copy, response: { [failed ? 'error' : 'output']: text } }
}

/** Replaces an AI SDK output. The type still says whether the tool failed; other fields stay. */
function stubOutput(output: Node | string, value: string): unknown {
  // Before version 5 of the AI SDK the output was a plain string.
  if (typeof output === 'string') return { type: 'text', value }
  const failed = output.type === 'error-text' || output.type === 'error-json'
  return Object.assign(shallowCopy(output), { type: failed ? 'error-text' : 'text', value })
}

/** Returns a copy of the same class with the same own fields. */
export function shallowCopy(object: object): Node {
  if (Array.isArray(object)) return object.slice() as unknown as Node
  if (Object.getPrototypeOf(object) === Object.prototype) return { ...object } as Node
  const fields = Object.getOwnPropertyDescriptors(object)
  for (const field of Object.values(fields)) {
    // The fields of a frozen object are read-only. Its copy is edited and then not changed again.
    if ('value' in field) field.writable = true
    field.configurable = true
  }
  return Object.create(Object.getPrototypeOf(object), fields) as Node
}
