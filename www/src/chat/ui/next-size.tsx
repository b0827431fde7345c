import { short } from '../../numbers.js'
import { costOfOne } from '../agent/requests.js'
import { tokensOf } from '../agent/tokens-of.js'
import { dollars, inDollars } from '../comparison/dollars.js'
import { nextRequest } from '../next-request.js'
import { answeringOverhead } from '../overhead.js'
import { answeringWindow, prices, shown } from '../state.js'

/**
 * Shows the tokens of the next request with the text in the composer, and its cost if the user entered the price of
 * input.
 */
export function NextSize({ text }: { text: string }) {
  const next = nextRequest.value
  const isFirst = shown.value.messages.length === 0
  const written = tokensOf(text)
  if ((next === null && !isFirst) || (isFirst && written === 0)) return null
  const sent = (next?.sent ?? 0) + written + answeringOverhead.value
  const window = answeringWindow.value
  return (
    <span
      class="next-size"
      data-over={sent > window}
      title={`The next request sends about ${short(sent)} tokens, of ${short(window)} that the window holds`}
    >
      next ~{short(sent)}
      {sent > window ? ', over the window' : <Cost written={written} />}
    </span>
  )
}

function Cost({ written }: { written: number }) {
  const next = nextRequest.value
  const perMillion = dollars.value
  if (perMillion === null || next === null) return null
  const asked = { ...next, sent: next.sent + written, full: next.full + written }
  const { sent } = costOfOne(asked, shown.value.requests.at(-1), prices.value)
  return <b> {inDollars(sent, perMillion)}</b>
}
