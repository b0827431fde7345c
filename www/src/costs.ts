import { byId, h, nextPaint } from './dom.js'
import type { Session } from './session.js'
import { presetPolicies, type Settings, toPolicy } from './settings.js'

interface Costs {
  show(session: Session, settings: Settings): void
}

/** Settings change while a slider is dragged: the replay waits until they have rested so long, in milliseconds. */
const REST = 300

/**
 * What the presets and the panel's policy would have cost over the session, against the evidence they keep. Nothing is loaded
 * or replayed before the card is opened.
 */
export function createCosts(onError: (error: unknown) => void): Costs {
  const card = byId('costs', HTMLDetailsElement)
  const picture = byId('costs-picture', HTMLElement)
  const prices = byId('costs-prices', HTMLSelectElement)
  let wanted: { session: Session; settings: Settings } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let run = 0
  const draw = async () => {
    if (wanted === null || !card.open) {
      return
    }
    const { session, settings } = wanted
    const mine = ++run
    card.classList.add('is-stale')
    try {
      const { replayPicture, priceNames } = await import('./replay-picture.js')
      if (prices.options.length === 0) {
        prices.replaceChildren(...priceNames.map((name) => h('option', { attrs: { value: name } }, name)))
      }
      await nextPaint()
      const made = replayPicture(session, { yours: toPolicy(settings), ...presetPolicies() }, prices.value)
      if (mine === run) {
        picture.replaceChildren(made)
        card.classList.remove('is-stale')
      }
    } catch (error) {
      onError(error)
    }
  }
  const drawSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(draw, REST)
  }
  card.addEventListener('toggle', draw)
  prices.addEventListener('change', draw)
  return {
    show(session, settings) {
      if (wanted?.session !== session) {
        picture.replaceChildren()
      }
      wanted = { session, settings }
      drawSoon()
    },
  }
}
