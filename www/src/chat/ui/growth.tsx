import { short } from '../../numbers.js'
import type { SentRequest } from '../agent/requests.js'

const [WIDTH, HEIGHT] = [300, 64]

/** Tokens of each request: all that there was, and what was sent. */
export function Growth({ requests }: { requests: readonly SentRequest[] }) {
  if (requests.length < 2) return null
  const top = Math.max(...requests.map(({ full }) => full), 1)
  const line = (size: (request: SentRequest) => number) =>
    requests
      .map((request, at) => {
        const x = (at / (requests.length - 1)) * WIDTH
        const y = HEIGHT - (size(request) / top) * (HEIGHT - 4)
        return `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
      })
      .join('')
  const last = requests.at(-1)
  return (
    <figure class="growth-small">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Over ${requests.length} requests: ${short(last?.full ?? 0)} tokens in full, ${short(last?.sent ?? 0)} sent`}
      >
        <path class="growth-area" d={`${line(({ sent }) => sent)}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
        <path class="growth-full" d={line(({ full }) => full)} />
        <path class="growth-sent" d={line(({ sent }) => sent)} />
      </svg>
      <figcaption>
        <span class="key-full">full</span> <span class="key-sent">sent</span>
        <span class="growth-range">request 1 to {requests.length}</span>
      </figcaption>
    </figure>
  )
}
