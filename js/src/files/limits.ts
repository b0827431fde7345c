import { countFrom, type Kind, kind, numberFrom, oneOf, SWITCH } from '../base/check.js'
import type { ReadPurpose } from '../generated/types.js'

export const SIZE = countFrom(0, Number.MAX_SAFE_INTEGER)

/** For values that may come from JSON, where `null` is what is absent. */
/* @__NO_SIDE_EFFECTS__ */
export const orNull = <T>(wanted: Kind<T>): Kind<T | null> =>
  kind(wanted.words, (value) => value === null || wanted.is(value))

/** Checks for the limits of a read. */
export const LIMITS = {
  contextSize: SIZE,
  readMaxTokens: orNull(SIZE),
  ephemeralReadMaxPercent: orNull(numberFrom(0, 1)),
  ephemeralReadEnabled: orNull(SWITCH),
  purpose: orNull(oneOf<ReadPurpose>(['tool', 'user-named', 'context-file'])),
}
