/** Returns the files of a new workspace: a small project with a bug in it, and a long log. */
export function sampleFiles(): Record<string, string> {
  return {
    'README.md': README,
    'package.json': `${JSON.stringify({ name: 'tidewatch', version: '2.3.0', type: 'module' }, null, 2)}\n`,
    'src/app.ts': APP,
    'src/tides.ts': TIDES,
    'src/zone.ts': ZONE,
    'src/stations.ts': stations(),
    'test/tides.test.ts': TEST,
    'logs/build.log': buildLog(),
    'logs/test.log': TEST_LOG,
  }
}

const README = `# tidewatch

Times of high and low water for 48 harbours.

- \`src/tides.ts\` predicts from the harmonic constants of a station
- \`src/zone.ts\` turns a moment into a day of the station's own clock
- \`src/stations.ts\` holds the constants

Two tests fail since stations have time zones: \`logs/test.log\`.
`

const APP = `import { nextHighWater } from './tides.ts'
import { stationNamed } from './stations.ts'

/** Says when the next high water of a harbour is. */
export function announce(name: string, now: Date): string {
  const station = stationNamed(name)
  if (station === undefined) {
    return \`There is no station \${name}.\`
  }
  const high = nextHighWater(station, now)
  return \`\${station.name}: high water at \${high.toISOString()}\`
}
`

const TIDES = `import { dayOf } from './zone.ts'
import type { Station } from './stations.ts'

const HOUR = 3_600_000
/** From one high water to the next, in hours: half a lunar day. */
const PERIOD = 12.4206

/** The first high water of a station at or after a moment. */
export function nextHighWater(station: Station, now: Date): Date {
  const start = dayOf(now, station.offset)
  let high = start.getTime() + station.phase * HOUR
  while (high < now.getTime()) {
    high += PERIOD * HOUR
  }
  return new Date(high)
}

/** The height at a moment, in metres above chart datum. */
export function heightAt(station: Station, now: Date): number {
  const start = dayOf(now, station.offset)
  const hours = (now.getTime() - start.getTime()) / HOUR
  const angle = (2 * Math.PI * (hours - station.phase)) / PERIOD
  return station.mean + station.range * Math.cos(angle)
}
`

const ZONE = `const HOUR = 3_600_000

/** Midnight of the day that a moment falls on, by the clock of a place \`offset\` hours east of Greenwich. */
export function dayOf(now: Date, offset: number): Date {
  const local = new Date(now.getTime() - offset * HOUR)
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())
  return new Date(midnight - offset * HOUR)
}
`

const TEST = `import { expect, test } from 'vitest'
import { nextHighWater } from '../src/tides.ts'
import { dayOf } from '../src/zone.ts'

const parnu = { name: 'Pärnu', offset: 3, phase: 5.2, mean: 0.4, range: 0.2 }

test('shortly after local midnight it is already the new day', () => {
  const now = new Date('2025-06-01T21:30:00Z')
  expect(dayOf(now, 3).toISOString()).toBe('2025-06-01T21:00:00.000Z')
})

test('the next high water is today', () => {
  const now = new Date('2025-06-01T21:30:00Z')
  expect(nextHighWater(parnu, now).toISOString()).toBe('2025-06-02T02:12:00.000Z')
})
`

const TEST_LOG = `\u001b[1m RUN \u001b[22m tidewatch 2.3.0

 \u001b[31m×\u001b[39m shortly after local midnight it is already the new day
   \u001b[31mAssertionError: expected '2025-05-31T21:00:00.000Z' to be '2025-06-01T21:00:00.000Z'\u001b[39m
   at test/tides.test.ts:9:38
 \u001b[31m×\u001b[39m the next high water is today
   \u001b[31mAssertionError: expected '2025-06-01T14:37:14.160Z' to be '2025-06-02T02:12:00.000Z'\u001b[39m
   at test/tides.test.ts:14:52

 \u001b[1mTests\u001b[22m  \u001b[31m2 failed\u001b[39m | \u001b[32m31 passed\u001b[39m
`

const HARBOURS =
  'Pärnu Tallinn Narva Riga Ventspils Klaipeda Gdansk Kiel Rostock Malmö Aarhus Oslo Bergen Stavanger Tromsø Hull Leith Dover Brest Nantes'.split(
    ' ',
  )

function stations(): string {
  const rows = HARBOURS.flatMap((name, i) =>
    ['', ' outer'].map(
      (part, j) =>
        `  { name: '${name}${part}', offset: ${i % 4}, phase: ${((i * 7 + j * 3) % 12) + 0.2}, mean: ${((i % 9) + 3) / 10}, range: ${((i % 5) + 2 + j) / 10} },`,
    ),
  )
  return `export interface Station {
  name: string
  /** Hours east of Greenwich. */
  offset: number
  /** Hours from local midnight to the first high water. */
  phase: number
  mean: number
  range: number
}

export const STATIONS: readonly Station[] = [
${rows.join('\n')}
]

export const stationNamed = (name: string) => STATIONS.find((station) => station.name === name)
`
}

/** Returns some 600 lines of bundler output, one of them a relevant warning. */
function buildLog(): string {
  const lines = ['\u001b[36mvite v7.3.8\u001b[39m building for production...']
  for (let i = 0; i < 600; i++) {
    const harbour = (HARBOURS[i % HARBOURS.length] ?? '').toLowerCase()
    lines.push(
      `\u001b[2m${String(i + 1).padStart(3)}/600\u001b[22m dist/almanac/${harbour}/2025-${String((i % 12) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')}.html  \u001b[32m${(8 + (i % 17) / 10).toFixed(1)} kB\u001b[39m │ gzip: ${(2 + (i % 7) / 10).toFixed(1)} kB`,
    )
    if (i === 417)
      lines.push(
        '\u001b[33mwarning\u001b[39m src/zone.ts: dayOf() gave the day before for 48 stations east of Greenwich',
      )
  }
  return `${lines.join('\n')}\n\u001b[32m✓ built in 14.2 s\u001b[39m\n`
}
