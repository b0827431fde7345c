/** Geometry of the line chart. Contains numbers only. */

/** Returns at most `wanted` indices below `total`, evenly spaced, including the first and the last. */
export function samplePositions(total: number, wanted: number): number[] {
  if (total <= wanted) {
    return Array.from({ length: total }, (_, i) => i)
  }
  return Array.from({ length: wanted }, (_, i) => Math.round((i * (total - 1)) / (wanted - 1)))
}

export type Scale = (value: number) => number

export function linear(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [from, to] = domain
  const span = to - from
  return (value) =>
    span === 0 ? (range[0] + range[1]) / 2 : range[0] + ((value - from) / span) * (range[1] - range[0])
}

export interface Point {
  x: number
  y: number
}

export function linePath(points: readonly Point[]): string {
  return points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
}

/** Returns the path of the area between two lines over the same x positions. */
export function bandPath(upper: readonly Point[], lower: readonly Point[]): string {
  if (upper.length === 0) {
    return ''
  }
  const back = [...lower].reverse()
  return `${linePath(upper)}${back.map(({ x, y }) => `L${round(x)} ${round(y)}`).join('')}Z`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
