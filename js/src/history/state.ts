import { TrimtabError } from '../base/error.js'
import type { State } from './types.js'

/** The newest form of {@link State}. */
const STATE_VERSION = 1

/** How many numbers the engine has for each decision (`Decision` in `src/projection/state.rs`). */
const DECISION_NUMBERS = 11

/** The engine's decisions as plain JSON. */
export function stateOf(decisions: Uint32Array): State {
  const edits: number[][] = []
  for (let i = 0; i < decisions.length; i += DECISION_NUMBERS) {
    edits.push(Array.from(decisions.subarray(i, i + DECISION_NUMBERS)))
  }
  return { version: STATE_VERSION, edits }
}

/** A state as the engine takes it; what this version does not know is refused. */
export function decisionsOf(state: State): Uint32Array {
  if (typeof state !== 'object' || state === null)
    refuseState(`found ${state === null ? 'null' : typeof state}`)
  if (state.version !== STATE_VERSION) refuseState(`found version ${String(state.version)}`)
  const edits = state.edits ?? []
  if (!Array.isArray(edits)) refuseState('its edits are no list')
  const numbers = new Uint32Array(DECISION_NUMBERS * edits.length)
  edits.forEach((edit: unknown, i) => {
    if (!isDecision(edit)) refuseState(`edits[${i}] is not ${DECISION_NUMBERS} whole numbers`)
    numbers.set(edit, DECISION_NUMBERS * i)
  })
  return numbers
}

function isDecision(edit: unknown): edit is number[] {
  const isNumber = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32
  return Array.isArray(edit) && edit.length === DECISION_NUMBERS && edit.every(isNumber)
}

export function refuseState(reason: string): never {
  const message = `state must be what project() returned, of version ${STATE_VERSION}: ${reason}`
  throw new TrimtabError('unsupported_state', message, { argument: 'state' })
}
