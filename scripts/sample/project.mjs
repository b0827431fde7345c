import { predict } from './predict.mjs'
import { seededRandom } from './random.mjs'

/** The invented project `tidewatch` that the sample session works on. It exists nowhere else. */

const zone = `/** Calendar days and clock times as a harbour counts them. */

export interface LocalDay {
  year: number
  /** 1 to 12. */
  month: number
  day: number
}

export interface ClockTime {
  hours: number
  minutes: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Building a formatter costs more than a whole prediction, so each zone has one. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formatters.set(zone, made)
  return made
}

function partsOf(at: Date, zone: string): Record<string, number> {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatterOf(zone).formatToParts(at)) {
    if (type !== 'literal') parts[type] = Number(value)
  }
  return parts
}

/** How far the zone's clock is ahead of UTC at a moment, in milliseconds. */
export function offsetAt(at: Date, zone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(at, zone)
  const asUtc = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  return asUtc - Math.floor(at.getTime() / 1000) * 1000
}

/** The calendar day that the zone's clock shows at a moment. */
export function localDay(at: Date, zone: string): LocalDay {
  const { year, month, day } = partsOf(at, zone)
  return { year: year ?? 0, month: month ?? 1, day: day ?? 1 }
}

/** The moment at which a calendar day begins in a zone. */
export function startOfLocalDay(day: LocalDay, zone: string): Date {
  const midnightUtc = Date.UTC(day.year, day.month - 1, day.day)
  return new Date(midnightUtc + offsetAt(new Date(midnightUtc), zone))
}

/** The clock time that the zone shows at a moment. */
export function clockTime(at: Date, zone: string): ClockTime {
  const { hour, minute } = partsOf(at, zone)
  return { hours: hour ?? 0, minutes: minute ?? 0 }
}

/** The old helper, kept for the almanac: midnight by the offset that is valid at noon. */
export function localMidnight(day: LocalDay, zone: string): Date {
  const noon = new Date(Date.UTC(day.year, day.month - 1, day.day, 12))
  return new Date(Date.UTC(day.year, day.month - 1, day.day) - offsetAt(noon, zone))
}

/** Days on which the clocks change have 23 or 25 hours, and Lord Howe Island has 23.5. */
export function hoursInDay(day: LocalDay, zone: string): number {
  const next = { ...day, day: day.day + 1 }
  return (startOfLocalDay(next, zone).getTime() - startOfLocalDay(day, zone).getTime()) / HOUR
}

export function formatClock({ hours, minutes }: ClockTime): string {
  return String(hours).padStart(2, '0') + ':' + String(minutes).padStart(2, '0')
}

export function formatDay({ year, month, day }: LocalDay): string {
  return [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

export function parseDay(text: string): LocalDay {
  const match = /^(\\d{4})-(\\d{2})-(\\d{2})$/.exec(text)
  if (match === null) throw new SyntaxError('not a day: ' + text)
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }
}
`

const station = `import type { ConstituentName } from './constituents.js'

/** Amplitude in metres, phase in degrees behind the equilibrium tide at the epoch. */
export interface HarmonicConstant {
  amplitude: number
  phase: number
}

export interface Station {
  id: string
  name: string
  latitude: number
  longitude: number
  /** IANA zone of the harbour office. */
  zone: string
  /** Mean sea level above chart datum. */
  meanLevel: number
  harmonics: Partial<Record<ConstituentName, HarmonicConstant>>
}

const byId = new Map<string, Station>()

export function register(stations: readonly Station[]): void {
  for (const station of stations) {
    if (byId.has(station.id)) throw new Error('two stations with the id ' + station.id)
    byId.set(station.id, station)
  }
}

export function stationById(id: string): Station {
  const found = byId.get(id)
  if (found === undefined) throw new RangeError('no station with the id ' + id)
  return found
}

export function heightDatum(station: Station): number {
  return station.meanLevel
}

/** Great circle distance in kilometres; the earth is round enough for this. */
export function distance(a: Station, b: Station): number {
  const radius = 6371
  const toRadians = (degrees: number): number => (degrees * Math.PI) / 180
  const deltaLatitude = toRadians(b.latitude - a.latitude)
  const deltaLongitude = toRadians(b.longitude - a.longitude)
  const h =
    Math.sin(deltaLatitude / 2) ** 2 +
    Math.cos(toRadians(a.latitude)) * Math.cos(toRadians(b.latitude)) * Math.sin(deltaLongitude / 2) ** 2
  return 2 * radius * Math.asin(Math.sqrt(h))
}

export function nearest(latitude: number, longitude: number, stations: readonly Station[]): Station {
  const here = { latitude, longitude } as Station
  let best: Station | undefined
  for (const candidate of stations) {
    if (best === undefined || distance(here, candidate) < distance(here, best)) best = candidate
  }
  if (best === undefined) throw new RangeError('no stations')
  return best
}
`

const almanac = `import { eventsOfDay, meanRange, type TideEvent } from '../tides/predict.js'
import type { Station } from '../tides/station.js'
import { clockTime, formatClock, formatDay, localMidnight, type LocalDay } from '../time/zone.js'

/** One printed page: a station and a month. */
export interface AlmanacPage {
  station: string
  month: string
  rows: AlmanacRow[]
  meanRange: number
}

export interface AlmanacRow {
  day: string
  /** Up to four events, as the printer wants them: time and height. */
  events: { time: string; height: string; kind: TideEvent['kind'] }[]
  /** Set on the days on which the harbour's clock changes. */
  note?: string
}

const HOUR = 3_600_000

export function buildPage(station: Station, year: number, month: number): AlmanacPage {
  const rows: AlmanacRow[] = []
  const all: TideEvent[] = []
  for (const day of daysOfMonth(year, month)) {
    const events = eventsOfDay(station, day)
    all.push(...events)
    rows.push(rowOf(station, day, events))
  }
  return {
    station: station.name,
    month: formatDay({ year, month, day: 1 }).slice(0, 7),
    rows,
    meanRange: Math.round(meanRange(all) * 100) / 100,
  }
}

function rowOf(station: Station, day: LocalDay, events: readonly TideEvent[]): AlmanacRow {
  const row: AlmanacRow = {
    day: formatDay(day),
    events: events.map((event) => ({
      time: formatClock(clockTime(event.at, station.zone)),
      height: event.height.toFixed(1),
      kind: event.kind,
    })),
  }
  const hours = lengthOfDay(station, day)
  if (hours !== 24) row.note = hours < 24 ? 'clocks go forward' : 'clocks go back'
  return row
}

function lengthOfDay(station: Station, day: LocalDay): number {
  const from = localMidnight(day, station.zone)
  const to = localMidnight({ ...day, day: day.day + 1 }, station.zone)
  return (to.getTime() - from.getTime()) / HOUR
}

function daysOfMonth(year: number, month: number): LocalDay[] {
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => ({ year, month, day: index + 1 }))
}

/** The page as the typesetter takes it: fixed columns, one row a day. */
export function printPage(page: AlmanacPage): string {
  const lines = [page.station + '  ' + page.month + '  mean range ' + page.meanRange.toFixed(2) + ' m', '']
  for (const row of page.rows) {
    const cells = row.events.map((event) => event.time + ' ' + event.height.padStart(4))
    while (cells.length < 4) cells.push('          ')
    lines.push([row.day.slice(8), ...cells, row.note ?? ''].join('  ').trimEnd())
  }
  return lines.join('\\n') + '\\n'
}
`

const test = `import { describe, expect, test } from 'vitest'
import { buildPage } from '../src/report/almanac.js'
import { eventsOfDay, heightAt, meanRange, nextHighWater, previousHighWater } from '../src/tides/predict.js'
import { stationById } from '../src/tides/station.js'
import { hoursInDay, offsetAt, parseDay, startOfLocalDay } from '../src/time/zone.js'
import './register-stations.js'

const MINUTE = 60_000

describe('the harbour clock', () => {
  test('is UTC in Reykjavik all year', () => {
    expect(offsetAt(new Date('2025-01-15T12:00:00Z'), 'Atlantic/Reykjavik')).toBe(0)
    expect(offsetAt(new Date('2025-07-15T12:00:00Z'), 'Atlantic/Reykjavik')).toBe(0)
  })

  test('is ahead of UTC in Tallinn', () => {
    expect(offsetAt(new Date('2025-01-15T12:00:00Z'), 'Europe/Tallinn')).toBe(120 * MINUTE)
    expect(offsetAt(new Date('2025-07-15T12:00:00Z'), 'Europe/Tallinn')).toBe(180 * MINUTE)
  })

  test('starts the day before UTC does, east of Greenwich', () => {
    const start = startOfLocalDay(parseDay('2025-03-10'), 'Europe/Tallinn')
    expect(start.toISOString()).toBe('2025-03-09T22:00:00.000Z')
  })

  test('knows the short day and the long day', () => {
    expect(hoursInDay(parseDay('2025-03-30'), 'Europe/Tallinn')).toBe(23)
    expect(hoursInDay(parseDay('2025-10-26'), 'Europe/Tallinn')).toBe(25)
  })
})

describe('heights', () => {
  test.each([
    ['parnu', '2025-03-10T00:00:00Z', 0.61],
    ['parnu', '2025-03-10T06:00:00Z', 0.38],
    ['leith', '2025-03-10T00:00:00Z', 4.12],
    ['leith', '2025-03-10T06:00:00Z', 2.07],
    ['nelson', '2025-03-10T00:00:00Z', 1.94],
  ])('%s at %s is %f m', (id, at, height) => {
    expect(heightAt(stationById(id), new Date(at))).toBeCloseTo(height, 1)
  })
})

describe('days', () => {
  test('hold three to five turning points at Leith', () => {
    for (let day = 1; day <= 28; day += 1) {
      const events = eventsOfDay(stationById('leith'), { year: 2025, month: 2, day })
      expect(events.length).toBeGreaterThanOrEqual(3)
      expect(events.length).toBeLessThanOrEqual(5)
    }
  })

  test('alternate between high and low', () => {
    const events = eventsOfDay(stationById('leith'), parseDay('2025-02-11'))
    for (let index = 1; index < events.length; index += 1) {
      expect(events[index]?.kind).not.toBe(events[index - 1]?.kind)
    }
  })

  test('have events of their own day only', () => {
    const zone = stationById('parnu').zone
    const from = startOfLocalDay(parseDay('2025-03-10'), zone).getTime()
    for (const event of eventsOfDay(stationById('parnu'), parseDay('2025-03-10'))) {
      expect(event.at.getTime()).toBeGreaterThanOrEqual(from)
      expect(event.at.getTime()).toBeLessThan(from + 24 * 60 * MINUTE)
    }
  })
})

describe('the next high water', () => {
  test('is never before the moment asked about', () => {
    for (const id of ['parnu', 'leith', 'nelson', 'reykjavik']) {
      for (let hour = 0; hour < 48; hour += 1) {
        const after = new Date(Date.UTC(2025, 2, 9, hour))
        const { at } = nextHighWater(stationById(id), after)
        expect(at.getTime()).toBeGreaterThanOrEqual(after.getTime())
      }
    }
  })

  test('is found shortly after local midnight', () => {
    const after = new Date('2025-03-09T22:05:00Z')
    const { at } = nextHighWater(stationById('parnu'), after)
    expect(at.toISOString().slice(0, 16)).toBe('2025-03-10T03:41')
  })

  test('is found on the long day too', () => {
    const after = new Date('2025-10-26T20:30:00Z')
    const { at } = nextHighWater(stationById('parnu'), after)
    expect(at.toISOString().slice(0, 16)).toBe('2025-10-26T21:12')
  })
})

describe('the previous high water', () => {
  test('is before the moment asked about', () => {
    const before = new Date('2025-03-10T09:00:00Z')
    expect(previousHighWater(stationById('leith'), before).at.getTime()).toBeLessThan(before.getTime())
  })
})

describe('the almanac', () => {
  test('has a row for every day', () => {
    expect(buildPage(stationById('leith'), 2025, 2).rows).toHaveLength(28)
    expect(buildPage(stationById('leith'), 2024, 2).rows).toHaveLength(29)
  })

  test('notes the changes of the clock', () => {
    const notes = buildPage(stationById('parnu'), 2025, 3).rows.filter((row) => row.note !== undefined)
    expect(notes.map((row) => [row.day, row.note])).toEqual([['2025-03-30', 'clocks go forward']])
  })

  test('prints the mean range', () => {
    expect(meanRange(eventsOfDay(stationById('leith'), parseDay('2025-02-11')))).toBeGreaterThan(1)
  })
})
`

const changelog = `# Changelog

## Unreleased

### Added
- Stations of the Gulf of Riga, from the harbour offices' own tables.
- \`clearance\` says when there is next enough water over a sill.

## 2.3.0

### Added
- The almanac notes the days on which the harbour's clock changes.
- \`meanRange\` over any list of events.

### Fixed
- A stand of the tide in the Solent is one event, not three.

## 2.2.1

### Fixed
- Heights before the year 2000 had the wrong sign of the phase.
`

const ports = [
  ['parnu', 'Parnu', 58.38, 24.5, 'Europe/Tallinn'],
  ['leith', 'Leith', 55.99, -3.18, 'Europe/London'],
  ['nelson', 'Nelson', -41.26, 173.28, 'Pacific/Auckland'],
  ['reykjavik', 'Reykjavik', 64.15, -21.94, 'Atlantic/Reykjavik'],
  ['ushuaia', 'Ushuaia', -54.81, -68.3, 'America/Argentina/Ushuaia'],
  ['hobart', 'Hobart', -42.88, 147.34, 'Australia/Hobart'],
  ['brest', 'Brest', 48.38, -4.49, 'Europe/Paris'],
  ['esbjerg', 'Esbjerg', 55.47, 8.43, 'Europe/Copenhagen'],
  ['galway', 'Galway', 53.27, -9.05, 'Europe/Dublin'],
  ['saint-john', 'Saint John', 45.27, -66.06, 'America/Halifax'],
  ['porto', 'Porto', 41.15, -8.68, 'Europe/Lisbon'],
  ['bergen', 'Bergen', 60.4, 5.31, 'Europe/Oslo'],
]
const waves = ['M2', 'S2', 'N2', 'K2', 'K1', 'O1', 'P1', 'M4']

/** Writes a table of invented harmonic constants. */
function stations() {
  const random = seededRandom(41)
  const entries = ports.map(([id, name, latitude, longitude, zoneName]) => {
    const rows = waves.map((wave, index) => {
      const amplitude = ((2.2 * random()) / (index + 1)).toFixed(3)
      return `      ${wave}: { amplitude: ${amplitude}, phase: ${(360 * random()).toFixed(1)} },`
    })
    return [
      '  {',
      `    id: '${id}',`,
      `    name: '${name}',`,
      `    latitude: ${latitude},`,
      `    longitude: ${longitude},`,
      `    zone: '${zoneName}',`,
      `    meanLevel: ${(0.5 + 4 * random()).toFixed(2)},`,
      '    harmonics: {',
      ...rows,
      '    },',
      '  },',
    ].join('\n')
  })
  const head =
    "import type { Station } from '../tides/station.js'\n\nexport const stations: readonly Station[] = ["
  return `${head}\n${entries.join('\n')}\n]\n`
}

export function projectFiles() {
  return new Map([
    ['src/tides/predict.ts', predict],
    ['src/tides/station.ts', station],
    ['src/time/zone.ts', zone],
    ['src/report/almanac.ts', almanac],
    ['src/data/stations.ts', stations()],
    ['test/predict.test.ts', test],
    ['CHANGELOG.md', changelog],
  ])
}

export const otherFiles = [
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'README.md',
  'src/index.ts',
  'src/cli.ts',
  'src/report/csv.ts',
  'src/report/html.ts',
  'src/tides/constituents.ts',
  'src/tides/parse.ts',
  'src/time/leap.ts',
  'test/register-stations.ts',
  'test/almanac.test.ts',
  'test/parse.test.ts',
]
