import { hexId, seededRandom } from './random.mjs'

/** Output of the invented project's commands. */

const parseCases = [
  'a header without a datum',
  'a header with two datums',
  'comment lines',
  'comma as the decimal sign',
  'a byte order mark',
  'rows out of order',
  'a row twice',
  'a missing phase',
  'a negative amplitude',
  'phases over 360 degrees',
  'names with accents',
  'names in capitals',
  'tabs between columns',
  'trailing blanks',
  'an empty file',
  'a file with a header only',
]
const almanacPorts = ['parnu', 'leith', 'nelson', 'reykjavik', 'ushuaia']
const morePorts = ['hobart', 'brest', 'esbjerg', 'galway', 'saint-john', 'porto', 'bergen']
const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']
const predictTests = [
  'the harbour clock > is UTC in Reykjavik all year',
  'the harbour clock > is ahead of UTC in Tallinn',
  'the harbour clock > starts the day before UTC does, east of Greenwich',
  'the harbour clock > knows the short day and the long day',
  'heights > parnu at 2025-03-10T00:00:00Z is 0.61 m',
  'heights > parnu at 2025-03-10T06:00:00Z is 0.38 m',
  'heights > leith at 2025-03-10T00:00:00Z is 4.12 m',
  'heights > leith at 2025-03-10T06:00:00Z is 2.07 m',
  'heights > nelson at 2025-03-10T00:00:00Z is 1.94 m',
  'days > hold three to five turning points at Leith',
  'days > alternate between high and low',
  'days > have events of their own day only',
  'the next high water > is never before the moment asked about',
  'the next high water > is found shortly after local midnight',
  'the next high water > is found on the long day too',
  'the previous high water > is before the moment asked about',
  'the almanac > has a row for every day',
  'the almanac > notes the changes of the clock',
  'the almanac > prints the mean range',
]

/**
 * Output of a verbose test run. `failures` maps a test of predict.test.ts to the text of its report; `extra` are tests
 * that the session added to that file.
 */
export function testRun({ seed, failures = {}, extra = [], only }) {
  const random = seededRandom(seed)
  const files = [
    ['test/parse.test.ts', parseCases.flatMap((name) => [`reads ${name}`, `says the line of ${name}`])],
    [
      'test/almanac.test.ts',
      almanacPorts.flatMap((port) => months.map((month) => `${port} > page of 2025-${month}`)),
    ],
    ['test/predict.test.ts', [...predictTests, ...extra]],
  ].filter(([file]) => only === undefined || only === file)
  const lines = [
    '',
    `> tidewatch@2.4.0 test`,
    `> vitest run --reporter=verbose${only ? ` ${only}` : ''}`,
    '',
    ' RUN  /home/mira/tidewatch',
    '',
  ]
  let passed = 0
  for (const [file, names] of files) {
    for (const name of names) {
      const failed = file === 'test/predict.test.ts' && name in failures
      if (!failed) passed += 1
      const time = 1 + Math.floor(random() * (file === 'test/almanac.test.ts' ? 60 : 9))
      lines.push(` ${failed ? '×' : '✓'} ${file} > ${name} ${time}ms`)
    }
  }
  const failed = Object.keys(failures).length
  if (failed > 0) lines.push('', ...failureReports(failures))
  const total = passed + failed
  const broken = failed > 0 ? `${failed} failed | ` : ''
  lines.push(
    '',
    ` Test Files  ${failed > 0 ? `1 failed | ${files.length - 1}` : files.length} passed (${files.length})`,
    `      Tests  ${broken}${passed} passed (${total})`,
    `   Duration  ${(1.2 + random()).toFixed(2)}s`,
    '',
  )
  return lines.join('\n')
}

function failureReports(failures) {
  return Object.entries(failures).flatMap(([name, report]) => [
    ` FAIL  test/predict.test.ts > ${name}`,
    ...report.split('\n'),
    '',
  ])
}

export function assertion(received, expected, place) {
  return [
    `AssertionError: expected '${received}' to be '${expected}'`,
    '',
    `  Expected: "${expected}"`,
    `  Received: "${received}"`,
    '',
    ` ❯ ${place}`,
  ].join('\n')
}

/** Output of the almanac export: one line per page, with sizes, and a summary. */
export function buildLog(seed) {
  const random = seededRandom(seed)
  const lines = [
    '',
    '> tidewatch@2.4.0 build',
    '> tsc -p tsconfig.json && node dist/cli.js almanac --year 2025 --out dist/almanac',
    '',
  ]
  let bytes = 0
  for (const port of [...almanacPorts, ...morePorts]) {
    for (const month of months) {
      const size = 4200 + Math.floor(random() * 900)
      bytes += 2 * size
      lines.push(
        `[almanac] ${port} 2025-${month}: ${28 + Math.floor(random() * 3)} rows, mean range ${(random() * 6).toFixed(2)} m`,
        `[almanac]   wrote dist/almanac/${port}/2025-${month}.txt  ${size} bytes  sha ${hexId(random, 12)}`,
      )
    }
    lines.push(`[almanac] ${port}: 12 pages, index written to dist/almanac/${port}/index.html`)
  }
  lines.push('', `[almanac] 144 pages, ${bytes} bytes in ${(3 + random()).toFixed(1)} s`, '')
  return lines.join('\n')
}

export function lintRun() {
  return [
    '',
    '> tidewatch@2.4.0 lint',
    '> eslint src test',
    '',
    '/home/mira/tidewatch/src/time/zone.ts',
    "  76:17  warning  'localMidnight' is exported and not used anywhere  no-unused-exports",
    '',
    '✖ 1 problem (0 errors, 1 warning)',
    '',
  ].join('\n')
}
