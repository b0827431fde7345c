import type { Policy } from 'trimtab'
import { evidenceShare, PRICES, simulate, simulationPicture } from 'trimtab/money'
import { h } from './dom.js'
import type { Session } from './session.js'

export const priceNames = Object.keys(PRICES)

/** Replays a session under policies and returns the chart, or a note if nothing can be replayed. */
export function replayPicture(session: Session, policies: Record<string, Policy>, prices: string): Element {
  const { format, messages, requests, transcript } = session
  // The last request has no answer: it was not sent.
  if (requests.length < 2) {
    return h('p', { class: 'costs-none' }, 'The model has not answered in this session: nothing was sent.')
  }
  const simulation = simulate(messages, policies, {
    format,
    prices: PRICES[prices as keyof typeof PRICES] ?? PRICES.anthropic,
    ...(transcript.system === undefined ? {} : { system: transcript.system }),
    ...(transcript.times === undefined ? {} : { times: transcript.times }),
  })
  // The package generates this markup and escapes names in it; the session contributes only numbers.
  const parsed = new DOMParser().parseFromString(simulationPicture(simulation), 'image/svg+xml')
  const picture = document.importNode(parsed.documentElement, true)
  const best = simulation.policies
    .map(({ name, relativeCost, evidence }) => {
      const kept = Math.round(100 * evidenceShare(evidence))
      return `${name} ${relativeCost.toFixed(2)} with ${kept} %`
    })
    .join(', ')
  picture.setAttribute('role', 'img')
  picture.setAttribute(
    'aria-label',
    `Cost of each policy, 1 for sending everything, and evidence kept: ${best}`,
  )
  return picture
}
