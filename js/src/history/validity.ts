import { called, checkMessages, checkOptions, copyOf, NAMED, OBJECT, readable } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { repairInEngine, validateInEngine, validity, validityReader } from '../engine/validity.js'
import type {
  Format,
  Repair,
  RepairEdit,
  RepairEntry,
  RepairItem,
  RepairStep,
  ValidityProblem,
} from '../generated/types.js'
import { callReasoningOf } from '../policy/call-reasoning.js'
import { prepare } from '../policy/prepared-policy.js'
import { shallowCopy } from './apply.js'
import { History, placesOf } from './history.js'
import { unbound } from './lookups.js'
import { classesOf } from './message-class.js'
import type { FormatOptions, Ledger, Repaired, State, ValidateOptions } from './types.js'
import { ValueReader } from './value-reader.js'

/**
 * Returns the problems for which the provider would refuse the history if it were sent now: calls without results,
 * results without calls, invalid ids, wrong order, empty content. An empty list means that no known rule is broken.
 *
 * The whole history is read at each call.
 *
 * @throws {TrimtabError} As `project`; `unsupported_state`.
 */
export function validate<M extends object>(
  messages: readonly M[],
  options: ValidateOptions = {},
): ValidityProblem[] {
  messages = checkMessages(messages)
  options = checkOptions(options, VALIDATE_OPTIONS, 'validate')
  const { format, model, state } = options
  const asked = model === undefined ? undefined : callReasoningOf(model)
  const broken = reading((host) =>
    validateInEngine(host, messages, messages.length, format, asked),
  ) as ValidityProblem[]
  if (state === undefined) return broken
  const problems = [...broken, ...unboundThinking(messages, state, format)]
  return problems.sort((one, other) => one.index - other.index)
}

/** Signed reasoning that a provider that binds it would refuse, judged by the earlier requests. */
function unboundThinking(
  messages: readonly object[],
  ledger: Ledger,
  format: Format | undefined,
): ValidityProblem[] {
  const state = 'toJSON' in ledger ? ledger.toJSON().state : ledger
  if (state === undefined) return []
  const history = new History(format)
  const found = unboundIn(history, messages, state)
  return placesOf(found).map((place, i) => ({
    index: found[2 * i] as number,
    block: found[2 * i + 1] as number,
    rule: 'thinking_unbound',
    message: `${place}: this reasoning was made after other content than precedes it here, or it is not known after which`,
    repairable: false,
  }))
}

/**
 * Returns the history in a form that the provider accepts, with a list of repairs. The history itself is not changed,
 * and every message that needs no repair is the same object. The same history is always repaired in the same way.
 *
 * Problems that `validate` reports as not `repairable` remain: nothing is moved or renamed beside signed reasoning.
 *
 * @throws {TrimtabError} As `project`.
 */
export function repair<M extends object>(messages: readonly M[], options: FormatOptions = {}): Repaired<M> {
  messages = checkMessages(messages)
  const format = formatOf(options, 'repair')
  const { entries, repairs } = reading((host) => repairInEngine(host, messages, messages.length, format)) as {
    entries: RepairEntry[]
    repairs: Repair[]
  }
  const asInHistory = classesOf<object>(messages)
  const made = entries.map((entry) => {
    const place = entry.entry === 'new' ? 'messages' : `messages[${entry.message}]`
    return readable(place, () => make(messages, entry, asInHistory) as M, 'unreadable_message')
  })
  return { messages: made, repairs }
}

function unboundIn(history: History, messages: readonly object[], state: State): Uint32Array {
  try {
    history.restore(state)
    return unbound(history, messages, prepare({}))
  } finally {
    history.free()
  }
}

function formatOf(options: FormatOptions, where: string): Format | undefined {
  options = checkOptions(options, { format: FORMAT }, where)
  return options.format
}

const VALIDATE_OPTIONS = {
  format: FORMAT,
  model: NAMED,
  state: called(OBJECT, 'a state, or a Context'),
}

function reading(work: (host: ValueReader) => unknown): unknown {
  const host = new ValueReader(validityReader())
  let found: unknown
  try {
    found = validity.enter(() => work(host))
  } catch (refused) {
    throw host.unreadable() ?? refused
  }
  const failure = host.unreadable()
  if (failure !== undefined) throw failure
  return found
}

function make(
  messages: readonly object[],
  entry: RepairEntry,
  asInHistory: (added: object) => object,
): object {
  if (entry.entry === 'keep') return messages[entry.message] as object
  if (entry.entry === 'new') return asInHistory(edited(messages, entry.value, entry.edits))
  return edited(messages, messages[entry.message] as object, entry.edits)
}

function edited(messages: readonly object[], start: object, edits: readonly RepairEdit[]): object {
  const copies = new Set<object>()
  return edits.reduce((node, edit) => editAt(messages, node, edit.path, edit, copies), start)
}

/**
 * Returns a copy along the path to the edit; all other objects are the host's own. In the place of a call that is `null`,
 * a new object is made. The `copies` of earlier edits are changed in place: one message may have many edits in one list.
 */
function editAt(
  messages: readonly object[],
  node: object | null | undefined,
  path: readonly RepairStep[],
  edit: RepairEdit,
  copies: Set<object>,
): object {
  const [step, ...rest] = path as [RepairStep, ...RepairStep[]]
  const copy = copyOnce(node ?? {}, copies)
  const inner = copy[step] as object | null | undefined
  if (rest.length > 0) copy[step] = editAt(messages, inner, rest, edit, copies)
  else if (edit.edit === 'set') copy[step] = edit.value
  else if (edit.edit === 'delete') delete copy[step]
  else copy[step] = edit.items.map((item) => makeItem(messages, item))
  return copy
}

function copyOnce(node: object, copies: Set<object>): Record<RepairStep, unknown> {
  if (copies.has(node)) return node as Record<RepairStep, unknown>
  // Of a list a plain copy: a sparse one may have a length of four thousand million, which is refused.
  const copy = shallowCopy(copyOf(node) as object)
  copies.add(copy)
  return copy
}

function makeItem(messages: readonly object[], item: RepairItem): object {
  if (item.item === 'new') return item.value
  const start: object = messages[item.message] as object
  const own = item.from.reduce((node, step) => (node as Record<RepairStep, object>)[step] as object, start)
  return edited(messages, own, item.edits)
}
