// Counts how often each statement of the package's JavaScript runs. Its files are instrumented as they are loaded
// (tests/vitest.config.ts): V8's own counts leave out a function at times.
import { createInstrumenter } from 'istanbul-lib-instrument'
import type { Plugin } from 'vitest/config'

const IS_OURS = /\/(js\/dist|pkg)\/.*\.js$/
/** The global variable in which the instrumented files count. */
const COUNTS = '__growth_counts__'

/** What an instrumented file counts, by the numbers that the instrumenter gives its statements. */
interface FileCounts {
  s: Record<string, number>
  statementMap: Record<string, { start: { line: number } }>
}

/** Instruments the package's files. */
export function countingJs(): Plugin {
  const instrumenter = createInstrumenter({ esModules: true, coverageVariable: COUNTS })
  return {
    name: 'counting-js',
    enforce: 'pre',
    transform(code, id) {
      return IS_OURS.test(id) ? { code: instrumenter.instrumentSync(code, id), map: null } : undefined
    },
  }
}

/** How often each statement ran since the last time. All counts are 0 after it. */
export function takeJsCounts(): Map<string, number> {
  const places = new Map<string, number>()
  const files = (globalThis as { [COUNTS]?: Record<string, FileCounts> })[COUNTS] ?? {}
  for (const [path, { s: counts, statementMap }] of Object.entries(files)) {
    const file = path.slice(path.search(IS_OURS) + 1)
    for (const [key, count] of Object.entries(counts)) {
      if (count === 0) continue
      places.set(`${file}:${statementMap[key]?.start.line} statement ${key}`, count)
      counts[key] = 0
    }
  }
  return places
}
