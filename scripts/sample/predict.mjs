/** `src/tides/predict.ts` of the invented project: harmonic tide prediction, with the bug that the session is about. */
export const predict = `import { constituents, type ConstituentName } from './constituents.js'
import { heightDatum, type Station } from './station.js'
import { localDay, startOfLocalDay, type LocalDay } from '../time/zone.js'

/** One turning point of the tide. Heights are metres above chart datum. */
export interface TideEvent {
  kind: 'high' | 'low'
  at: Date
  height: number
}

export interface PredictOptions {
  /** Sampling step in minutes. Six is fine everywhere but in the Solent. */
  stepMinutes?: number
  /** Events closer together than this are treated as one stand of the tide. */
  mergeMinutes?: number
}

const DEFAULT_STEP_MINUTES = 6
const DEFAULT_MERGE_MINUTES = 25
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const EPOCH = Date.UTC(2000, 0, 1)

/** The height of the water at one moment, from the station's harmonic constants. */
export function heightAt(station: Station, at: Date): number {
  const hours = (at.getTime() - EPOCH) / HOUR
  let height = heightDatum(station)
  for (const [name, constant] of Object.entries(station.harmonics)) {
    const { speed } = constituents[name as ConstituentName]
    const phase = toRadians(speed * hours - constant.phase)
    height += constant.amplitude * Math.cos(phase)
  }
  return height
}

/** All turning points in the half-open interval [from, to), in order. */
export function tideEvents(
  station: Station,
  from: Date,
  to: Date,
  options: PredictOptions = {},
): TideEvent[] {
  const step = (options.stepMinutes ?? DEFAULT_STEP_MINUTES) * MINUTE
  const events: TideEvent[] = []
  let previous = heightAt(station, new Date(from.getTime() - step))
  let current = heightAt(station, from)
  for (let time = from.getTime(); time < to.getTime(); time += step) {
    const next = heightAt(station, new Date(time + step))
    const kind = turningPoint(previous, current, next)
    if (kind !== undefined) {
      events.push(refine(station, kind, time - step, time + step))
    }
    previous = current
    current = next
  }
  return mergeStands(events, (options.mergeMinutes ?? DEFAULT_MERGE_MINUTES) * MINUTE)
}

function turningPoint(before: number, at: number, after: number): TideEvent['kind'] | undefined {
  if (at >= before && at > after) return 'high'
  if (at <= before && at < after) return 'low'
  return undefined
}

/** Golden section search between two samples. Twenty rounds bring six minutes below a millisecond. */
function refine(
  station: Station,
  kind: TideEvent['kind'],
  left: number,
  right: number,
): TideEvent {
  const ratio = (Math.sqrt(5) - 1) / 2
  const sign = kind === 'high' ? 1 : -1
  let low = left
  let high = right
  for (let round = 0; round < 20; round += 1) {
    const width = (high - low) * ratio
    const a = high - width
    const b = low + width
    if (sign * heightAt(station, new Date(a)) > sign * heightAt(station, new Date(b))) {
      high = b
    } else {
      low = a
    }
  }
  const at = new Date(Math.round((low + high) / 2))
  return { kind, at, height: heightAt(station, at) }
}

/** A stand of the tide shows as several turning points; the most extreme of them is the event. */
function mergeStands(events: readonly TideEvent[], within: number): TideEvent[] {
  const merged: TideEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (last === undefined || last.kind !== event.kind) {
      merged.push(event)
      continue
    }
    if (event.at.getTime() - last.at.getTime() > within) {
      merged.push(event)
    } else if (isMoreExtreme(event, last)) {
      merged[merged.length - 1] = event
    }
  }
  return merged
}

function isMoreExtreme(event: TideEvent, other: TideEvent): boolean {
  return event.kind === 'high' ? event.height > other.height : event.height < other.height
}

/** The events of one calendar day as the harbour's own clock counts it. */
export function eventsOfDay(
  station: Station,
  day: LocalDay,
  options: PredictOptions = {},
): TideEvent[] {
  const from = startOfLocalDay(day, station.zone)
  const to = new Date(from.getTime() + 24 * HOUR)
  return tideEvents(station, from, to, options)
}

/** The next high water at or after a moment. */
export function nextHighWater(
  station: Station,
  after: Date,
  options: PredictOptions = {},
): TideEvent {
  const today = localDay(after, station.zone)
  const candidates = eventsOfDay(station, today, options).filter((event) => event.kind === 'high')
  const next = candidates.find((event) => event.at.getTime() >= after.getTime())
  if (next !== undefined) return next
  const tomorrow = addDays(today, 1)
  const later = eventsOfDay(station, tomorrow, options).find((event) => event.kind === 'high')
  if (later === undefined) {
    throw new RangeError('no high water within two days at ' + station.name)
  }
  return later
}

/** The previous high water before a moment: the one the pilots ask about. */
export function previousHighWater(
  station: Station,
  before: Date,
  options: PredictOptions = {},
): TideEvent {
  const today = localDay(before, station.zone)
  for (const offset of [0, -1]) {
    const events = eventsOfDay(station, addDays(today, offset), options)
    const last = events.findLast(
      (event) => event.kind === 'high' && event.at.getTime() < before.getTime(),
    )
    if (last !== undefined) return last
  }
  throw new RangeError('no high water within two days at ' + station.name)
}

/** How much water there is over a sill of the given height, and when it is next enough. */
export function clearance(
  station: Station,
  sill: number,
  draught: number,
  after: Date,
): { now: number; enoughAt: Date | undefined } {
  const now = heightAt(station, after) - sill
  if (now >= draught) return { now, enoughAt: after }
  const limit = after.getTime() + 25 * HOUR
  for (let time = after.getTime(); time < limit; time += 5 * MINUTE) {
    if (heightAt(station, new Date(time)) - sill >= draught) {
      return { now, enoughAt: new Date(time) }
    }
  }
  return { now, enoughAt: undefined }
}

/** The rule of twelfths, for those who do not trust a computer. */
export function twelfths(low: TideEvent, high: TideEvent): { at: Date; height: number }[] {
  const parts = [0, 1, 3, 6, 9, 11, 12]
  const span = high.at.getTime() - low.at.getTime()
  const rise = high.height - low.height
  return parts.map((part, index) => ({
    at: new Date(low.at.getTime() + (span * index) / (parts.length - 1)),
    height: low.height + (rise * part) / 12,
  }))
}

/** Mean range over a window: what the almanac prints beside springs and neaps. */
export function meanRange(events: readonly TideEvent[]): number {
  let total = 0
  let pairs = 0
  for (let index = 1; index < events.length; index += 1) {
    const a = events[index - 1]
    const b = events[index]
    if (a === undefined || b === undefined || a.kind === b.kind) continue
    total += Math.abs(a.height - b.height)
    pairs += 1
  }
  return pairs === 0 ? 0 : total / pairs
}

function addDays(day: LocalDay, days: number): LocalDay {
  const moved = new Date(Date.UTC(day.year, day.month - 1, day.day + days))
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
`
