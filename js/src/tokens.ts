import { estimate_tokens } from '../../pkg/core.js'
import { enter } from './engine.js'

const encoder = new TextEncoder()

/** Estimated tokens of a text: its UTF-8 bytes divided by 3.5, rounded up. An estimate for every model. */
export function estimateTokens(text: string): number {
  return enter(() => estimate_tokens(encoder.encode(text).length))
}
