import { bandPath, linear, linePath, type Point, type Scale } from './chart-layout.js'
import { gutterWidth, h, svg } from './dom.js'
import { niceTicks, short, tokens } from './numbers.js'
import type { Series } from './replay.js'
import type { Session } from './session.js'
import { requestLabel } from './stepper.js'
import type { Tooltip } from './tooltip.js'

const HEIGHT = 132
const TOP = 10
const BOTTOM = 6
/**
 * Half the width of the slider's thumb, in pixels. The thumb stops this far inside its track; the plot has
 * the same margin, to line up with it.
 */
const THUMB = 9

interface Chart {
  /** `series` is `null` while the session is being replayed. */
  show(session: Session, request: number, series: Series | null): void
}

interface Drawn {
  session: Session
  request: number
  series: Series
}

/** Draws the context size per request, before and after. Clicking or dragging selects the request. */
export function createChart(root: HTMLElement, tooltip: Tooltip, onPick: (request: number) => void): Chart {
  let drawn: Drawn | null = null
  const draw = () => {
    if (drawn !== null) {
      root.replaceChildren(...render(drawn, root.clientWidth))
    }
  }
  new ResizeObserver(draw).observe(root)
  const requestAt = (event: PointerEvent): number | null => {
    if (drawn === null) {
      return null
    }
    const box = root.getBoundingClientRect()
    const gutter = gutterWidth()
    const share = (event.clientX - box.left - gutter - THUMB) / (box.width - gutter - 2 * THUMB)
    const last = drawn.session.requests.length - 1
    return Math.round(Math.min(1, Math.max(0, share)) * last)
  }
  const pick = (event: PointerEvent) => {
    const request = requestAt(event)
    if (request !== null) {
      onPick(request)
    }
  }
  root.addEventListener('pointerdown', (event) => {
    root.setPointerCapture(event.pointerId)
    pick(event)
  })
  root.addEventListener('pointermove', (event) => {
    if ((event.buttons & 1) === 1) {
      pick(event)
    }
    const request = requestAt(event)
    if (drawn !== null && request !== null) {
      tooltip.show(hint(drawn, request), event.clientX, event.clientY)
    }
  })
  root.addEventListener('pointerleave', () => tooltip.hide())
  return {
    show(session, request, series) {
      root.classList.toggle('is-stale', series === null)
      const shown = series ?? (drawn?.session === session ? drawn.series : null)
      drawn = shown === null ? null : { session, request, series: shown }
      if (drawn === null) {
        root.replaceChildren()
      }
      draw()
    },
  }
}

function render(drawn: Drawn, width: number): Element[] {
  const { session, series, request } = drawn
  const gutter = gutterWidth()
  const last = session.requests.length - 1
  const ticks = niceTicks(Math.max(1, ...series.before), 3)
  const x = linear([0, last], [gutter + THUMB, width - THUMB])
  const y = linear([0, Math.max(ticks.at(-1) ?? 1, ...series.before)], [HEIGHT - BOTTOM, TOP])
  const before = points(series, series.before, x, y)
  const after = points(series, series.after, x, y)
  const picture = svg(
    'svg',
    { width, height: HEIGHT, role: 'img', 'aria-label': summary(drawn) },
    ...ticks.flatMap((tick) => gridLine(tick, y(tick), gutter, width)),
    svg('path', { class: 'chart-band', d: bandPath(before, after) }),
    svg('path', { class: 'chart-line chart-before', d: linePath(before) }),
    svg('path', { class: 'chart-line chart-after', d: linePath(after) }),
    ...marker(
      x(request),
      y(valueAt(series, series.before, request)),
      y(valueAt(series, series.after, request)),
    ),
  )
  return [picture]
}

function points(series: Series, values: readonly number[], x: Scale, y: Scale): Point[] {
  return values.map((value, i) => ({ x: x(series.requests[i] ?? 0), y: y(value) }))
}

function gridLine(tick: number, at: number, gutter: number, width: number): Element[] {
  const line = svg('line', {
    class: 'chart-grid',
    x1: gutter,
    x2: width,
    y1: Math.round(at) + 0.5,
    y2: Math.round(at) + 0.5,
  })
  const label = svg(
    'text',
    { class: 'chart-tick', x: gutter - 8, y: at + 4, 'text-anchor': 'end' },
    short(tick),
  )
  return [line, label]
}

function marker(x: number, before: number, after: number): Element[] {
  const at = Math.round(x) + 0.5
  return [
    svg('line', { class: 'chart-marker', x1: at, x2: at, y1: TOP - 6, y2: HEIGHT }),
    svg('circle', { class: 'chart-dot chart-dot-before', cx: x, cy: before, r: 4 }),
    svg('circle', { class: 'chart-dot chart-dot-after', cx: x, cy: after, r: 4 }),
  ]
}

/** Returns a value at a request, interpolated between two measured ones. */
function valueAt(series: Series, values: readonly number[], request: number): number {
  const right = series.requests.findIndex((measured) => measured >= request)
  const [end, endValue] = [series.requests[right] ?? 0, values[right] ?? 0]
  const [start, startValue] = [series.requests[right - 1] ?? end, values[right - 1] ?? endValue]
  return start === end ? endValue : linear([start, end], [startValue, endValue])(request)
}

function hint(drawn: Drawn, request: number): Node[] {
  const { session, series } = drawn
  const line = (label: string, values: readonly number[]) =>
    h(
      'div',
      { class: 'tip-line' },
      h('span', {}, label),
      h('b', {}, tokens(valueAt(series, values, request))),
    )
  return [
    h('div', { class: 'tip-title' }, requestLabel(session, request)),
    line('before', series.before),
    line('after', series.after),
  ]
}

function summary({ session, series }: Drawn): string {
  const end = (values: readonly number[]) => tokens(values.at(-1) ?? 0)
  return `Line chart: estimated tokens of ${session.requests.length} requests, up to ${end(series.before)} before and ${end(series.after)} after the policy at the last one`
}
