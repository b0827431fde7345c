import { TrimtabError } from './error.js'
import type { State } from './types.js'

/** The newest form of {@link State}. */
export const STATE_VERSION = 1

/** A step as the engine takes it: `-1` for the newest. */
export function checkStep(step: number | undefined): number {
  if (step === undefined) return -1
  if (!Number.isInteger(step) || step < 0 || step > 0x7fffffff) {
    const message = `currentStep must be a whole number of steps from 0 on, found ${String(step)}`
    throw new TrimtabError('invalid_option', message, { argument: 'currentStep' })
  }
  return step
}

/** Refuses a state that a newer version of this package wrote. */
export function checkState(state: State | undefined): void {
  if (state === undefined || state?.version === STATE_VERSION) return
  const found =
    typeof state === 'object' && state !== null ? `version ${String(state.version)}` : String(state)
  const message = `state must be what project() returned, of version ${STATE_VERSION}; found ${found}`
  throw new TrimtabError('unsupported_state', message, { argument: 'state' })
}

/** Refuses an age that is not a whole number of steps. */
export function checkAge(age: number): number {
  if (Number.isInteger(age) && age >= 0 && age <= 0xffffffff) return age
  throw new TrimtabError(
    'invalid_option',
    `age must be a whole number of steps from 0 on, found ${String(age)}`,
    {
      argument: 'age',
    },
  )
}
