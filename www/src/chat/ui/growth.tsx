import { samplePositions } from '../../chart-layout.js'
import { short } from '../../numbers.js'
import type { SentRequest } from '../agent/requests.js'

const [WIDTH, HEIGHT] = [300, 64]
/** More are not visible. */
const POINTS = 300

interface Props {
  readonly requests: readonly SentRequest[]
  /** Tokens of each request under a policy that is looked at. */
  readonly preview?: readonly number[] | null
}

/** Tokens of each request: all that there was, what was sent, and what another policy would have sent. */
export function Growth({ requests, preview = null }: Props) {
  if (requests.length < 2) return null
  const last = requests.at(-1)
  const width = Math.max(requests.length, preview?.length ?? 0)
  const full = requests.map((request) => request.full)
  const sent = requests.map((request) => request.sent)
  const top = [...full, ...(preview ?? [])].reduce((most, size) => Math.max(most, size), 1)
  const xOf = (at: number) => ((at / (width - 1)) * WIDTH).toFixed(1)
  const line = (sizes: readonly number[]) =>
    samplePositions(sizes.length, POINTS)
      .map((at, index) => {
        const y = HEIGHT - ((sizes[at] ?? 0) / top) * (HEIGHT - 4)
        return `${index === 0 ? 'M' : 'L'}${xOf(at)} ${y.toFixed(1)}`
      })
      .join('')
  return (
    <figure class="growth-small">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Over ${requests.length} requests: ${short(last?.full ?? 0)} tokens in full, ${short(last?.sent ?? 0)} sent`}
      >
        <path class="growth-area" d={`${line(sent)}L${xOf(requests.length - 1)} ${HEIGHT}L0 ${HEIGHT}Z`} />
        <path class="growth-full" d={line(full)} />
        <path class="growth-sent" d={line(sent)} />
        {preview === null ? null : <path class="growth-preview" d={line(preview)} />}
      </svg>
      <figcaption>
        <span class="key-full">full</span> <span class="key-sent">sent</span>
        {preview === null ? null : <span class="key-preview">looked at</span>}
        <span class="growth-range">request 1 to {width}</span>
      </figcaption>
    </figure>
  )
}
