import { AMOUNT, called, check, FUNCTION } from '../base/check.js'
import type { TextCounter } from '../base/text-counter.js'
import type { Format, TokensByKind } from '../generated/types.js'
import { tokensOfMessages } from './block-counter.js'

/** Counts the tokens of messages by kind, one entry for each message. {@link messageCounter} makes one from an encoding. */
export type MessageCounter = (messages: readonly object[], format: Format) => TokensByKind[]

const COUNTED = called(AMOUNT, 'a function that returns numbers of tokens')

/** So many UTF-16 units of texts are remembered with their counts. */
const REMEMBERED = 16 << 20

/**
 * The counter of a `Context`: tokens of a message by an encoding (`count` of `loadEncoding`), or by any other function of a
 * text, with what the format puts around it. Images count by their provider's rule.
 *
 * A text is counted once, also where its message was edited or made anew: the newest texts are remembered.
 */
export function messageCounter(counter: TextCounter): MessageCounter {
  check('counter', counter, called(FUNCTION, 'a function from a text to its tokens'))
  const known = new Map<string, number>()
  let size = 0
  const countOnce = (text: string): number => {
    const before = known.get(text)
    if (before !== undefined) return before
    const tokens = counter(text)
    check('counter', tokens, COUNTED)
    size += text.length
    if (size > REMEMBERED) {
      known.clear()
      size = text.length
    }
    known.set(text, tokens)
    return tokens
  }
  return (messages, format) => tokensOfMessages(messages, format, countOnce)
}
