import { TrimtabError } from './error.js'
import { checkKeys } from './nearest.js'
import { refuseOption, shown } from './refuse.js'

/** Refuses options that are no object, or have a key that means nothing here. */
export function checkOptions(options: unknown, known: readonly string[], where: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const message = `${where}: options must be an object with ${known.join(', ')}, found ${shown(options)}`
    throw new TrimtabError('invalid_option', message, { argument: 'options' })
  }
  checkKeys(options, known, where)
}

/** A step as the engine takes it: `-1` for the newest. */
export function checkStep(step: number | undefined): number {
  if (step === undefined) return -1
  if (!Number.isInteger(step) || step < 0 || step > 0x7fffffff) {
    refuseOption('currentStep', 'a whole number of steps from 0 on', step)
  }
  return step
}

/** Seconds since the last request as the engine takes them: 0 where nobody says. */
export function checkIdle(idle: number | undefined): number {
  if (idle === undefined) return 0
  if (typeof idle === 'number' && idle >= 0) return idle
  return refuseOption('idle', 'a number of seconds from 0 on', idle)
}

/** Refuses an age that is not a whole number of steps. */
export function checkAge(age: number): number {
  if (Number.isInteger(age) && age >= 0 && age <= 0xffffffff) return age
  return refuseOption('age', 'a whole number of steps from 0 on', age)
}

/** Refuses what is not a whole number that the engine can hold. */
export function checkCount(argument: string, count: number, least = 0): number {
  if (Number.isInteger(count) && count >= least && count <= 0xffffffff) return count
  return refuseOption(argument, `a whole number from ${least} on`, count)
}

/** Refuses what is no list of messages. */
export function checkIsArray(messages: unknown): asserts messages is readonly object[] {
  if (!isList(messages)) {
    const found = messages === null ? 'null' : typeof messages
    const message = `messages must be an array of message objects, found ${found}`
    throw new TrimtabError('invalid_messages', message, { argument: 'messages' })
  }
}

function isList(value: unknown): boolean {
  try {
    return Array.isArray(value)
  } catch {
    // A proxy that was revoked.
    return false
  }
}

/** Refuses what is no object with fields. */
export function checkIsObject(argument: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) refuseOption(argument, 'an object', value)
}

/** Refuses what is there and no function. */
export function checkIsFunction(argument: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') refuseOption(argument, 'a function', value)
}

/** Refuses what is there and no `AbortSignal`. */
export function checkSignal(signal: unknown): void {
  const { throwIfAborted, addEventListener } = (signal ?? {}) as Partial<Record<keyof AbortSignal, unknown>>
  if (
    signal === undefined ||
    (typeof throwIfAborted === 'function' && typeof addEventListener === 'function')
  )
    return
  refuseOption('signal', 'an AbortSignal', signal)
}

/** Refuses what is no text. */
export function checkIsText(argument: string, value: unknown): asserts value is string {
  if (typeof value === 'string') return
  throw new TrimtabError('invalid_option', `${argument} must be a text, found ${typeof value}`, { argument })
}
