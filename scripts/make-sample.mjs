// Writes examples/session.jsonl: an invented session of a coding agent in the format of Claude Code's files, about an
// invented project (scripts/sample/project.mjs). Writes the same bytes on every machine.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assertion, buildLog, lintRun, testRun } from './sample/outputs.mjs'
import { otherFiles, projectFiles } from './sample/project.mjs'
import { root, Session, toolsOn } from './sample/session.mjs'

export function makeSample() {
  const files = projectFiles()
  const session = new Session(files)
  const tools = toolsOn(files)
  session.aside({
    type: 'file-history-snapshot',
    snapshot: { trackedFileBackups: {} },
    isSnapshotUpdate: false,
  })
  findTheBug(session, tools)
  fixTheLongDay(session, tools)
  replaceTheOldHelper(session, tools)
  finish(session, tools)
  session.title('Next high water off by a day east of Greenwich')
  return session.text()
}

const midnight = 'the next high water > is found shortly after local midnight'
const longDay = 'the next high water > is found on the long day too'
const startsBefore = 'the harbour clock > starts the day before UTC does, east of Greenwich'
const southern = 'the almanac > notes the changes of the clock in the south'

function findTheBug(session, { read, grep, bash }) {
  session.prompt(
    'nextHighWater() gives tomorrow’s tide for Pärnu when I ask shortly after local midnight, and two or three tests are red ' +
      'on main since the zone refactoring. Please find out why and fix it. The almanac export (npm run build) has to keep working.',
  )
  session.step({
    thinking:
      'Start with the tests that fail and the shape of the project, then read the prediction code before changing anything.',
    text: 'I’ll look at the project and at what fails first.',
    calls: [
      { tool: 'Glob', input: { pattern: '**/*', path: root }, result: tree(session) },
      bash('git status --short && git log --oneline -6', gitLog),
    ],
  })
  const red = {
    [startsBefore]: assertion(
      '2025-03-10T02:00:00.000Z',
      '2025-03-09T22:00:00.000Z',
      'test/predict.test.ts:24:34',
    ),
    [midnight]: assertion('2025-03-10T16:04', '2025-03-10T03:41', 'test/predict.test.ts:86:46'),
    [longDay]: assertion('2025-10-27T09:31', '2025-10-26T21:12', 'test/predict.test.ts:92:46'),
  }
  session.step({ calls: [bash('npm test', testRun({ seed: 11, failures: red }), true)] })
  session.step({
    text: 'Three tests fail, all about days that do not start at UTC midnight. The prediction code first.',
    calls: [read('src/tides/predict.ts')],
  })
  session.step({ calls: [read('test/predict.test.ts'), grep('startOfLocalDay')] })
  session.step({
    thinking:
      'eventsOfDay asks startOfLocalDay for the beginning of the day. If that is wrong by twice the offset, all three failures follow.',
    calls: [read('src/time/zone.ts')],
  })
  session.step({
    text: '`startOfLocalDay` adds the offset where it has to subtract it: for Tallinn the day starts at 02:00Z instead of 22:00Z the day before. Let me confirm with one number.',
    calls: [
      bash(probe, '2025-03-10T02:00:00.000Z\n'),
      read('src/tides/predict.ts', { offset: 112, limit: 40 }),
    ],
  })
  session.prompt(
    '<system-reminder>The file src/data/stations.ts was changed on disk by the user.</system-reminder>',
    { isMeta: true },
  )
  session.step({
    text: 'You changed the station table in the meantime; I check that the zones in it are what the code expects.',
    calls: [read('src/data/stations.ts'), read('src/tides/station.ts')],
  })
  explore(session)
}

/** A subagent's side chain: in the file, but not part of the conversation. */
function explore(session) {
  const prompt = 'List every caller of localMidnight and of startOfLocalDay.'
  session.step({ sidechain: true, text: `${prompt} I search src and test.` })
  session.step({
    sidechain: true,
    calls: [
      {
        tool: 'Grep',
        input: { pattern: 'localMidnight' },
        result: 'src/report/almanac.ts\nsrc/time/zone.ts',
      },
    ],
  })
}

function fixTheLongDay(session, { read, edit, bash }) {
  const addition = 'return new Date(midnightUtc + offsetAt(new Date(midnightUtc), zone))'
  session.step({
    text: 'The zones are fine. The sign is the bug:',
    calls: [
      edit('src/time/zone.ts', addition, addition.replace('midnightUtc + offset', 'midnightUtc - offset')),
    ],
  })
  const left = { [longDay]: assertion('2025-10-27T09:31', '2025-10-26T21:12', 'test/predict.test.ts:92:46') }
  session.step({ calls: [bash('npm test', testRun({ seed: 12, failures: left }), true)] })
  session.step({
    thinking:
      'Two are green. The long day has 25 hours and eventsOfDay stops after 24. Look at the file again to be exact.',
    text: 'Two of three are fixed. What is left is the 25-hour day; I look at `eventsOfDay` again.',
    calls: [read('src/tides/predict.ts')],
  })
  session.step({
    text: '`eventsOfDay` ends the day after 24 hours. It should end where the next day starts.',
    calls: [
      edit(
        'src/tides/predict.ts',
        '  const to = new Date(from.getTime() + 24 * HOUR)\n',
        '  const to = startOfLocalDay(addDays(day, 1), station.zone)\n',
      ),
    ],
  })
  const only = 'test/predict.test.ts'
  session.step({
    calls: [
      bash(`npx vitest run --reporter=verbose ${only}`, testRun({ seed: 13, only, failures: left }), true),
    ],
  })
  session.step({
    text: 'Still the long day, so the end of the day is right and the search is not. `nextHighWater` takes tomorrow’s *first* high water when today has none left:',
    calls: [read('src/tides/predict.ts'), read('test/predict.test.ts', { offset: 66, limit: 30 })],
  })
  session.step({
    thinking:
      'The candidates of today are filtered by the day that localDay gives for `after`. At 20:30Z on the 26th Tallinn already shows 22:30, still the 26th. The event at 21:12Z is 23:12 local. So it is in the day only if the day ends at 22:00Z. It does now... but offsetAt is taken at UTC midnight, which lies before the change. The offset has to be taken at the local midnight itself.',
    text: 'The offset is taken at UTC midnight, which on this day lies on the other side of the change. It has to be the offset at the local midnight itself.',
    calls: [
      edit(
        'src/time/zone.ts',
        'return new Date(midnightUtc - offsetAt(new Date(midnightUtc), zone))',
        'const guess = midnightUtc - offsetAt(new Date(midnightUtc), zone)\n  return new Date(midnightUtc - offsetAt(new Date(guess), zone))',
      ),
    ],
  })
  session.step({ calls: [bash('npm test', testRun({ seed: 14 }))] })
  session.step({
    text: 'All green. Now the export, as you asked.',
    calls: [bash('npm run build', buildLog(21))],
  })
  session.step({
    text:
      'Fixed. `startOfLocalDay` added the zone’s offset instead of subtracting it, and took it at UTC midnight instead of local midnight; ' +
      '`eventsOfDay` assumed 24 hours. All tests pass and the almanac builds (144 pages).',
  })
  session.system({ subtype: 'turn_duration', durationMs: 412_000, content: '' })
}

function replaceTheOldHelper(session, { read, edit, grep, bash }) {
  session.prompt(
    'Good. The almanac still uses the old localMidnight, doesn’t it? Please move it over, and add a regression test for a station in the south (Hobart).',
  )
  session.step({ calls: [grep('localMidnight'), read('src/report/almanac.ts')] })
  session.step({
    text: 'Yes, `lengthOfDay` does. `hoursInDay` in zone.ts does the same with the new function; let me see it as it is now.',
    calls: [read('src/time/zone.ts')],
  })
  session.step({
    calls: [
      edit(
        'src/report/almanac.ts',
        'const hours = lengthOfDay(station, day)',
        'const hours = hoursInDay(day, station.zone)',
      ),
      edit(
        'src/report/almanac.ts',
        'formatDay, localMidnight, type LocalDay',
        'formatDay, hoursInDay, type LocalDay',
      ),
    ],
  })
  session.step({
    calls: [
      edit(
        'test/predict.test.ts',
        "  test('prints the mean range', () => {",
        [
          "  test('notes the changes of the clock in the south', () => {",
          "    const notes = buildPage(stationById('hobart'), 2025, 4).rows.filter((row) => row.note !== undefined)",
          "    expect(notes.map((row) => [row.day, row.note])).toEqual([['2025-04-06', 'clocks go back']])",
          '  })',
          '',
          "  test('prints the mean range', () => {",
        ].join('\n'),
      ),
    ],
  })
  const unfinished = {
    [southern]: 'ReferenceError: localMidnight is not defined\n ❯ lengthOfDay src/report/almanac.ts:58:16',
  }
  session.step({
    calls: [bash('npm test', testRun({ seed: 15, failures: unfinished, extra: [southern] }), true)],
  })
  session.step({
    text: 'I left the old function behind.',
    calls: [read('src/report/almanac.ts', { offset: 52, limit: 14 })],
  })
  session.step({
    calls: [
      edit(
        'src/report/almanac.ts',
        [
          'function lengthOfDay(station: Station, day: LocalDay): number {',
          '  const from = localMidnight(day, station.zone)',
          '  const to = localMidnight({ ...day, day: day.day + 1 }, station.zone)',
          '  return (to.getTime() - from.getTime()) / HOUR',
          '}',
          '',
          '',
        ].join('\n'),
        '',
      ),
      edit('src/report/almanac.ts', 'const HOUR = 3_600_000\n\n', ''),
    ],
  })
  session.step({ calls: [bash('npm test', testRun({ seed: 16, extra: [southern] }))] })
  session.step({
    text: 'Green, with the new test. I check how the almanac reads now, and the linter.',
    calls: [read('src/report/almanac.ts'), bash('npm run lint', lintRun())],
  })
}

function finish(session, { read, edit, grep, bash }) {
  session.step({
    text: '`localMidnight` has no caller any more; I take it out after a last look at who imports it.',
    calls: [grep('localMidnight', ''), read('src/time/zone.ts', { offset: 60, limit: 30 })],
  })
  session.step({
    calls: [
      edit(
        'src/time/zone.ts',
        [
          '/** The old helper, kept for the almanac: midnight by the offset that is valid at noon. */',
          'export function localMidnight(day: LocalDay, zone: string): Date {',
          '  const noon = new Date(Date.UTC(day.year, day.month - 1, day.day, 12))',
          '  return new Date(Date.UTC(day.year, day.month - 1, day.day) - offsetAt(noon, zone))',
          '}',
          '',
          '',
        ].join('\n'),
        '',
      ),
    ],
  })
  session.step({
    calls: [
      bash('npm test', testRun({ seed: 17, extra: [southern] })),
      read('src/tides/predict.ts', { offset: 112, limit: 40 }),
    ],
  })
  session.step({
    text: 'One more build to be sure.',
    calls: [{ tool: 'Bash', input: { command: 'npm run build' } }],
  })
  session.prompt('[Request interrupted by user for tool use]')
  session.prompt('No need to build again. Write the changelog entry instead and we are done.')
  session.step({ calls: [read('CHANGELOG.md')] })
  session.step({
    calls: [
      edit(
        'CHANGELOG.md',
        '- `clearance` says when there is next enough water over a sill.\n',
        [
          '- `clearance` says when there is next enough water over a sill.',
          '',
          '### Fixed',
          '- The next high water was a day off shortly after midnight, east of Greenwich.',
          '- Days on which the clock changes have 23 or 25 hours in the prediction too.',
          '',
        ].join('\n'),
      ),
    ],
  })
  session.step({
    text: 'Done: the entry is under “Unreleased”. `localMidnight` is gone, the almanac uses `hoursInDay`, and Hobart has its regression test.',
  })
}

const probe =
  "node --import tsx -e \"import { startOfLocalDay } from './src/time/zone.ts'; " +
  "console.log(startOfLocalDay({ year: 2025, month: 3, day: 10 }, 'Europe/Tallinn').toISOString())\""

const gitLog = [
  ' M src/data/stations.ts',
  '8c1f0aa Move the clock functions into time/zone',
  '51be2d9 Almanac: note the days on which the clock changes',
  '0d7733c Stations of the Gulf of Riga',
  'e90a4b2 Merge stands of the tide',
  '77f1c05 Mean range over any list of events',
  '2a6f9d1 Release 2.3.0',
].join('\n')

function tree(session) {
  return [...session.files.keys(), ...otherFiles]
    .sort()
    .map((path) => `${root}/${path}`)
    .join('\n')
}

// `node scripts/make-sample.mjs [FILE]`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(process.argv[2] ?? new URL('../examples/session.jsonl', import.meta.url), makeSample())
}
