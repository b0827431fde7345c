import { refuseWith } from '../base/check.js'
import { SAVED_EDIT_NUMBERS } from '../generated/protocol.js'
import type { State } from './types.js'

/** The newest version of {@link State}. */
const STATE_VERSION = 1

/** Converts the engine's decisions (`Ledger::to_numbers` in `src/projection/ledger.rs`) to plain JSON. */
export function stateOf(numbers: Uint32Array): State {
  let at = 0
  const take = (count: number) => {
    at += count
    return Array.from(numbers.subarray(at - count, at))
  }
  const rows = (width: number) => {
    const [count = 0] = take(1)
    return Array.from({ length: count }, () => take(width))
  }
  const edits = rows(1 + SAVED_EDIT_NUMBERS)
  const requests = rows(2)
  const past = rows(2 + SAVED_EDIT_NUMBERS)
  const [prefix = 0] = take(1)
  const state: State = { version: STATE_VERSION, edits: edits.map((row) => row.slice(1)) }
  if (requests.length === 0) return state
  return { ...state, sent: { requests, since: edits.map((row) => row[0] as number), past, prefix } }
}

/** Converts a state to the engine's numbers; throws if this version does not know its form. */
export function decisionsOf(state: State): Uint32Array {
  if (typeof state !== 'object' || state === null) refuseState(`found ${state && typeof state}`)
  if (state.version !== STATE_VERSION) refuseState(`found version ${String(state.version)}`)
  const edits = rowsOf(state.edits ?? [], 'edits', SAVED_EDIT_NUMBERS)
  const { sent = NOTHING_SENT } = state
  if (typeof sent !== 'object' || sent === null) refuseState('its `sent` is not an object')
  const { prefix = 0 } = sent
  const requests = rowsOf(sent.requests, 'sent.requests', 2)
  const since = listOf(sent.since, 'sent.since')
  const past = rowsOf(sent.past, 'sent.past', 2 + SAVED_EDIT_NUMBERS)
  rowsOf([since], 'sent.since', since.length)
  rowsOf([[prefix]], 'sent.prefix', 1)
  const withSince = edits.flatMap((edit, i) => [since[i] ?? requests.length, ...edit])
  const made = [requests.length, ...requests.flat(), past.length, ...past.flat(), prefix]
  return Uint32Array.from([edits.length, ...withSince, ...made])
}

const NOTHING_SENT: NonNullable<State['sent']> = { requests: [], since: [], past: [], prefix: 0 }

function listOf<T>(list: readonly T[], name: string): readonly T[] {
  return Array.isArray(list) ? list : refuseState(`its ${name} are not a list`)
}

function rowsOf(
  rows: readonly (readonly number[])[],
  name: string,
  width: number,
): readonly (readonly number[])[] {
  listOf(rows, name).forEach((row, i) => {
    if (!isRow(row, width)) refuseState(`${name}[${i}] is not ${width} whole numbers`)
  })
  return rows
}

function isRow(row: unknown, width: number): row is number[] {
  const isNumber = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32
  return Array.isArray(row) && row.length === width && row.every(isNumber)
}

export function refuseState(reason: string): never {
  const message = `state must be what project() returned, of version ${STATE_VERSION}: ${reason}`
  refuseWith('state', message, 'unsupported_state')
}
