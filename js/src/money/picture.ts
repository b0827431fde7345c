import { readable, refuse } from '../base/check.js'
import { evidenceShare } from './kept.js'
import { axes, type Frame, line, point, type Range, text } from './svg.js'
import type { TunedPolicy, Tuning } from './tune.js'
import type { SimulatedPolicy, Simulation } from './types.js'

const COLOURS = [
  '#4c6ef5',
  '#e8590c',
  '#2b8a3e',
  '#c2255c',
  '#7048e8',
  '#0b7285',
  '#b08900',
  '#495057',
  '#74b816',
]
const WIDTH = 960
const LEGEND_TOP = 470
const LEGEND_ROW = 22
const LEGEND_COLUMNS = 2

const COST: Frame = { left: 64, top: 48, width: 370, height: 360 }
const SIZE: Frame = { left: 536, top: 48, width: 396, height: 360 }

/**
 * Draws a simulation as SVG: the cost of each policy against the evidence that it keeps, and the size of the context
 * over the requests.
 */
export function simulationPicture(simulation: Simulation): string {
  return readable('simulation', () => {
    const { policies } = simulation ?? {}
    if (!Array.isArray(policies)) refuse('simulation', 'what simulate returned', simulation)
    const height = LEGEND_TOP + Math.ceil(policies.length / LEGEND_COLUMNS) * LEGEND_ROW + 12
    return svgDocument([...costPanel(policies), ...sizePanel(policies), ...policies.map(legend)], height)
  })
}

function svgDocument(parts: readonly string[], height: number): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

/** Draws a tuning as SVG: every candidate by cost and evidence, the frontier as a line, and the recommendation. */
export function tuningPicture(tuning: Tuning): string {
  return readable('tuning', () => {
    const { candidates, recommended, keep } = tuning ?? {}
    if (!Array.isArray(candidates)) refuse('tuning', 'what tune returned', tuning)
    const shares = candidates.map((one) => 100 * one.evidenceShare)
    const chart = { ...TUNE, x: costRange(candidates), y: shareRange([...shares, 100 * keep]) }
    const place = (one: TunedPolicy) => ({ x: one.relativeCost, y: 100 * one.evidenceShare })
    const frontier = candidates.filter(({ isOnFrontier }) => isOnFrontier)
    const others = candidates.filter(({ isOnFrontier }) => !isOnFrontier)
    const names = { title: 'Cost and evidence kept', x: 'cost, 1 = send everything', y: '% kept' }
    const listed = [recommended, ...frontier.filter(({ name }) => name !== recommended.name)].slice(
      0,
      TUNE_ROWS,
    )
    const wanted = [chart.x.from, chart.x.to].map((at) => ({ x: at, y: 100 * keep }))
    const parts = [
      ...axes(chart, names),
      line(chart, wanted, '#adb5bd', '4 4'),
      ...others.map((one) => point(chart, place(one), '#adb5bd', 4)),
      line(chart, frontier.map(place), colour(0)),
      ...frontier.map((one) => point(chart, place(one), colour(0), 5)),
      point(chart, place(recommended), colour(1), 8),
      ...listed.map((one, row) => tuneRow(one, row)),
    ]
    return svgDocument(parts, TUNE.top + TUNE.height + 62)
  })
}

const TUNE: Frame = { left: 64, top: 48, width: 480, height: 360 }
/** Number of rows that fit beside the chart. */
const TUNE_ROWS = 16

function tuneRow({ name, relativeCost, evidenceShare: share }: TunedPolicy, row: number): string {
  const top = TUNE.top + 8 + row * LEGEND_ROW
  const label = `${shortened(name, 36)}: ${relativeCost.toFixed(2)}, ${(100 * share).toFixed(0)} %`
  return [
    `<circle cx="580" cy="${top - 4}" r="5" fill="${colour(row === 0 ? 1 : 0)}"/>`,
    text(594, top, label, row === 0 ? 'font-weight="600"' : ''),
  ].join('')
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] as string
}

/** Lower cost is further left, more evidence further up. */
function costPanel(policies: readonly SimulatedPolicy[]): string[] {
  const shares = policies.map(({ evidence }) => 100 * evidenceShare(evidence))
  const chart = { ...COST, x: costRange(policies), y: shareRange(shares) }
  const drawn = axes(chart, {
    title: 'Cost and evidence kept',
    x: 'cost, 1 = send everything',
    y: '% kept',
  })
  // Points of decreasing size, so that those at nearly the same place stay visible.
  const points = policies.map(({ relativeCost }, index) =>
    point(chart, { x: relativeCost, y: shares[index] as number }, colour(index), 9 - Math.min(5, index)),
  )
  return [...drawn, ...points]
}

function costRange(policies: readonly { relativeCost: number }[]): Range {
  return { from: 0, to: Math.max(1, ...policies.map(({ relativeCost }) => relativeCost)) * 1.05 }
}

/** Starts at the multiple of ten below the smallest share. */
function shareRange(shares: readonly number[]): Range {
  return { from: Math.max(0, Math.floor(Math.min(99, ...shares) / 10) * 10), to: 100 }
}

function shortened(name: string, most: number): string {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name
}

function sizePanel(policies: readonly SimulatedPolicy[]): string[] {
  const requests = Math.max(1, ...policies.map(({ contextTokens }) => contextTokens.length - 1))
  const most = Math.max(1, ...policies.map(({ peakTokens }) => peakTokens))
  const chart = { ...SIZE, x: { from: 0, to: requests }, y: { from: 0, to: (most / 1000) * 1.05 } }
  const drawn = axes(chart, { title: 'Size of the context', x: 'request', y: '1,000 tokens' })
  const lines = policies.map(({ contextTokens }, index) => {
    const places = contextTokens.map((tokens, request) => ({ x: request, y: tokens / 1000 }))
    return line(chart, places, colour(index))
  })
  return [...drawn, ...lines]
}

function legend({ name, relativeCost, evidence }: SimulatedPolicy, index: number): string {
  const column = index % LEGEND_COLUMNS
  const left = 64 + column * 440
  const top = LEGEND_TOP + Math.floor(index / LEGEND_COLUMNS) * LEGEND_ROW
  const share = (100 * evidenceShare(evidence)).toFixed(0)
  return [
    `<rect x="${left}" y="${top - 10}" width="12" height="12" rx="2" fill="${colour(index)}"/>`,
    text(left + 20, top, `${shortened(name, 44)}: ${relativeCost.toFixed(2)}, ${share} %`),
  ].join('')
}
