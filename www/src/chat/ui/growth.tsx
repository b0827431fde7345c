import { useSignal } from '@preact/signals'
import { samplePositions } from '../../chart-layout.js'
import { short } from '../../numbers.js'
import type { SentRequest } from '../agent/requests.js'
import type { Trim } from '../agent/trims.js'
import { lookAt } from '../state.js'

const [WIDTH, HEIGHT] = [300, 64]
/** Maximum number of points; more are not visible. */
const POINTS = 300
/** The height of a trim's mark in pixels, and the maximum number of distinguishable marks. */
const [MARK, MARKS] = [6, 60]

interface Props {
  readonly requests: readonly SentRequest[]
  readonly trims: readonly Trim[]
  /** Tokens of each request under the previewed policy. */
  readonly preview?: readonly number[] | null
}

/**
 * Charts the tokens of each request: the whole history, what was sent, and what another policy would have sent. The
 * caption describes the request under the pointer, and a click goes to it; keyboard users have the slider below.
 */
export function Growth({ requests, trims, preview = null }: Props) {
  const pointed = useSignal<number | null>(null)
  if (requests.length < 2) return null
  const width = Math.max(requests.length, preview?.length ?? 0)
  const full = requests.map((request) => request.full + (request.overhead ?? 0))
  const sent = requests.map((request) => request.sent + (request.overhead ?? 0))
  const top = [...full, ...(preview ?? [])].reduce((most, size) => Math.max(most, size), 1)
  const xOf = (at: number) => ((at / (width - 1)) * WIDTH).toFixed(1)
  const line = (sizes: readonly number[]) =>
    samplePositions(sizes.length, POINTS)
      .map((at, index) => {
        const y = HEIGHT - ((sizes[at] ?? 0) / top) * (HEIGHT - 4)
        return `${index === 0 ? 'M' : 'L'}${xOf(at)} ${y.toFixed(1)}`
      })
      .join('')
  const marked = trims.length > MARKS ? [] : trims
  const marks = marked.map(({ request }) => `M${xOf(request)} ${HEIGHT}v${-MARK}`).join('')
  const at = pointed.value !== null && pointed.value < requests.length ? pointed.value : null
  const under = (event: PointerEvent & { currentTarget: Element }) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left) / box.width
    return Math.max(0, Math.min(requests.length - 1, Math.round(share * (width - 1))))
  }
  return (
    <figure class="growth-small">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Over ${requests.length} requests: ${short(full.at(-1) ?? 0)} tokens in full, ${short(sent.at(-1) ?? 0)} sent`}
        onPointerMove={(event) => {
          pointed.value = under(event)
        }}
        onPointerLeave={() => {
          pointed.value = null
        }}
        onPointerUp={(event) => lookAt(under(event))}
      >
        <path class="growth-area" d={`${line(sent)}L${xOf(requests.length - 1)} ${HEIGHT}L0 ${HEIGHT}Z`} />
        <path class="growth-full" d={line(full)} />
        <path class="growth-sent" d={line(sent)} />
        {preview === null ? null : <path class="growth-preview" d={line(preview)} />}
        {marks === '' ? null : <path class="growth-trims" d={marks} />}
        {at === null ? null : <path class="growth-cross" d={`M${xOf(at)} 0V${HEIGHT}`} />}
      </svg>
      {at === null ? (
        <figcaption>
          <span class="key-full">full</span> <span class="key-sent">sent</span>
          {preview === null ? null : <span class="key-preview">preview</span>}
          {marks === '' ? null : <span class="key-trims">trimmed</span>}
          <span class="growth-range">largest {short(top)}</span>
        </figcaption>
      ) : (
        <figcaption>
          <span>
            Request {at + 1}: <b>{short(sent[at] ?? 0)}</b> of {short(full[at] ?? 0)} sent
            {preview?.[at] === undefined ? '' : `, ${short(preview[at])} in preview`}
          </span>
        </figcaption>
      )}
    </figure>
  )
}
