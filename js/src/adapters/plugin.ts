import { readable } from '../base/check.js'
import type { AdapterOptions } from './conversations.js'

/** A plugin writes nothing to a terminal that is its host's: warnings go to `onWarning`, and nowhere without it. */
export const quietly = (options: AdapterOptions): AdapterOptions =>
  readable('options', () => ({ onWarning: () => {}, ...options }))
