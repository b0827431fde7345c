import { AMOUNT, check, isAmount, kind, readable } from '../base/check.js'
import type { TokenScale } from '../policy/token-scale.js'

/** A ratio of the provider's tokens to the engine's estimates, kept until it has changed by more than 5 %. */
export interface SavedScale extends TokenScale {
  /** Estimated tokens that the last view left out. */
  saved: number
}

const RATIO = kind<number>('a number above 0', (value) => isAmount(value) && value > 0)

/** Returns a copy of the scale of a saved `Context`. */
export function checkScale(saved: SavedScale): SavedScale {
  const { perToken, perResultToken, beside, saved: left } = readable('saved.scale', () => ({ ...saved }))
  check('saved.scale.perToken', perToken, RATIO)
  check('saved.scale.perResultToken', perResultToken, RATIO)
  check('saved.scale.beside', beside, AMOUNT)
  check('saved.scale.saved', left, AMOUNT)
  return { perToken, perResultToken, beside, saved: left }
}
