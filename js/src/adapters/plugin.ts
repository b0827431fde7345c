import { readable } from '../base/check.js'
import type { AdapterOptions } from './conversations.js'

/**
 * Disables the default warnings of a plugin: its terminal belongs to the host, so warnings only go to
 * `onWarning`.
 */
export const quietly = (options: AdapterOptions): AdapterOptions =>
  readable('options', () => ({ onWarning: () => {}, ...options }))
