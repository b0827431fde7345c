/** Functions that write the shapes of a chart as SVG text. */

/** The area between a chart's axes, in pixels, and the ranges of these. */
export interface Chart extends Frame {
  x: Range
  y: Range
}

export interface Frame {
  left: number
  top: number
  width: number
  height: number
}

/** The range of an axis. */
export interface Range {
  from: number
  to: number
}

export interface Place {
  x: number
  y: number
}

const TICKS = 5

export function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" fill="#212529"${attributes && ` ${attributes}`}>${escaped(content)}</text>`
}

/** Draws axes with round numbers, names and a title. */
export function axes(chart: Chart, names: { title: string; x: string; y: string }): string[] {
  const { left, top, width, height, x, y } = chart
  const bottom = top + height
  const across = ticks(x).map((value) => {
    const at = left + width * share(value, x)
    return text(at, bottom + 18, label(value), 'text-anchor="middle"')
  })
  const up = ticks(y).map((value) => {
    const at = bottom - height * share(value, y)
    const rule = `<line x1="${left}" x2="${left + width}" y1="${round(at)}" y2="${round(at)}" stroke="#dee2e6"/>`
    return rule + text(left - 8, at + 4, label(value), 'text-anchor="end"')
  })
  return [
    ...up,
    `<path d="M${left} ${top}V${bottom}H${left + width}" fill="none" stroke="#868e96"/>`,
    ...across,
    text(left, top - 26, names.title, 'font-size="15" font-weight="600"'),
    text(left - 8, top - 8, names.y, 'text-anchor="end"'),
    text(left + width, bottom + 36, names.x, 'text-anchor="end"'),
  ]
}

export function point(chart: Chart, place: Place, colour: string, radius: number): string {
  const { x: cx, y: cy } = placed(chart, place)
  return `<circle cx="${round(cx)}" cy="${round(cy)}" r="${radius}" fill="${colour}" fill-opacity="0.85"/>`
}

export function line(chart: Chart, places: readonly Place[], colour: string, dashes = ''): string {
  const steps = places.map((place) => {
    const at = placed(chart, place)
    return `${round(at.x)},${round(at.y)}`
  })
  return `<polyline points="${steps.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-linejoin="round"${dashes && ` stroke-dasharray="${dashes}"`}/>`
}

function placed({ left, top, width, height, x, y }: Chart, place: Place): Place {
  return { x: left + width * share(place.x, x), y: top + height * (1 - share(place.y, y)) }
}

function share(value: number, { from, to }: Range): number {
  return to === from ? 0 : (value - from) / (to - from)
}

/** About five round numbers within a range. */
function ticks({ from, to }: Range): number[] {
  const rough = (to - from) / TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough
  const list: number[] = []
  // Multiplied, not added up: sums of fractions accumulate rounding errors.
  for (let n = Math.ceil(from / step); n * step <= to * (1 + 1e-9); n++) list.push(n * step)
  return list
}

function label(value: number): string {
  return String(Number(value.toPrecision(6)))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(content: string): string {
  // XML does not allow control characters, not even escaped.
  return content
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
