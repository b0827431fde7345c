import { atOnce } from '../base/at-once.js'
import { AMOUNT, called, check, FUNCTION } from '../base/check.js'
import { checkFormat } from '../base/format.js'
import type { TextCounter } from '../base/text-counter.js'
import type { Format, TokensByKind } from '../generated/types.js'
import { tokensOfMessages } from './block-counter.js'

/**
 * Counts the tokens of messages by kind, one entry per message. {@link messageCounter} makes one from an
 * encoding.
 */
export type MessageCounter = (messages: readonly object[], format: Format) => TokensByKind[]

const COUNTED = called(AMOUNT, 'a function that returns numbers of tokens')

/** Returns the tokens of a text as a host's function counts them. */
export const counted = (counter: TextCounter, text: string): number =>
  check('counter', atOnce('counter', counter(text)), COUNTED)

/** UTF-16 units of texts that are cached with their counts. */
const REMEMBERED = 16 << 20

/**
 * Returns a counter for a `Context`. It counts the tokens of messages with an encoding (`count` of
 * `loadEncoding`) or any other function of a text, and adds the overhead of the format. Images are counted by
 * their provider's rule.
 *
 * Each text is counted once, also if its message was edited or created again: the newest texts are cached.
 */
export function messageCounter(counter: TextCounter): MessageCounter {
  check('counter', counter, called(FUNCTION, 'a function from a text to its tokens'))
  const known = new Map<string, number>()
  let size = 0
  const countOnce = (text: string): number => {
    const before = known.get(text)
    if (before !== undefined) return before
    const tokens = counted(counter, text)
    size += text.length
    if (size > REMEMBERED) {
      known.clear()
      size = text.length
    }
    known.set(text, tokens)
    return tokens
  }
  return (messages, format) => tokensOfMessages(messages, checkFormat('format', format), countOnce)
}
