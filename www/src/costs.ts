import { byId, h, nextPaint } from './dom.js'
import type { Session } from './session.js'
import { presetPolicies, type Settings, toPolicy } from './settings.js'

interface Costs {
  show(session: Session, settings: Settings): void
}

/**
 * Delay, in milliseconds, between the last change of the settings and the replay: they change continuously
 * while a slider is dragged.
 */
const REST = 300

/**
 * Shows what the session would have cost under the presets and the panel's policy, and how much evidence each
 * keeps. Loads and replays nothing before the card is opened.
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
