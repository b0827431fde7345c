#!/usr/bin/env node
// `npm test`: sets up, builds, runs every suite to its end and prints one summary.
// `npm test -- --only rust,node` runs some of them. The last line is "N passed, N failed".
import { none, sum, summaryLine } from './lib/counts.mjs'
import { at } from './lib/project.mjs'
import { duration, main, show } from './lib/run.mjs'
import { suites } from './lib/suites.mjs'
import { twoAtATime } from './lib/two-at-a-time.mjs'

function chosenSuites(args) {
  if (args.length === 0) return suites
  const [option, list, ...rest] = args
  const names = option === '--only' && rest.length === 0 ? (list ?? '').split(',') : []
  const known = suites.map(({ name }) => name)
  if (names.length === 0 || names.some((name) => !known.includes(name))) {
    throw new Error(`usage: npm test -- --only SUITE,SUITE with the suites ${known.join(', ')}`)
  }
  return suites.filter(({ name }) => names.includes(name))
}

async function runSafely(suite) {
  try {
    return await suite.run()
  } catch (error) {
    return { ...none, failed: 1, output: error?.stack ?? String(error) }
  }
}

/** A suite without tests is an error: renaming a folder must not make the summary pass. */
function refuseEmpty(result) {
  if (result.passed + result.failed > 0) return result
  return { ...result, failed: 1, output: `${result.output}\nthis suite ran no test` }
}

async function runSuite(suite) {
  const start = performance.now()
  const result = refuseEmpty(await runSafely(suite))
  const took = duration(performance.now() - start)
  const line = `${suite.title}: ${summaryLine(result)} (${took})`
  console.log(result.failed > 0 ? `\n${result.output.trim()}\n\nFAILED ${line}\n` : `ok     ${line}`)
  return { title: suite.title, took, ...result }
}

function notRun(title, output) {
  return { title, took: '', ...none, failed: 1, output }
}

async function runAll(chosen) {
  const needBuild = chosen.filter(({ built }) => built)
  const isBuilt = needBuild.length === 0 || (await show([process.execPath, at('scripts', 'build.mjs')]))
  const runnable = isBuilt ? chosen : chosen.filter(({ built }) => !built)
  console.log('test')
  const results = await twoAtATime(runnable, runSuite)
  return isBuilt
    ? results
    : [notRun('build'), ...results, ...needBuild.map(({ title }) => notRun(`${title} (not built)`))]
}

function table(results) {
  const width = Math.max(...results.map(({ title }) => title.length))
  const line = (title, ...cells) =>
    `${title.padEnd(width)}${cells.map((cell) => String(cell).padStart(9)).join('')}`
  const rows = results.map(
    (row) => line(row.title, row.passed, row.failed, row.skipped) + row.took.padStart(14),
  )
  return [line('', 'passed', 'failed', 'skipped'), ...rows].join('\n')
}

await main(async () => {
  const start = performance.now()
  const chosen = chosenSuites(process.argv.slice(2))
  const isSetUp = await show([at('scripts', 'setup')])
  const results = isSetUp ? await runAll(chosen) : [notRun('setup')]
  const total = sum(results)
  console.log(
    `\n${table(results)}\n\nall done in ${duration(performance.now() - start)}\n${summaryLine(total)}`,
  )
  if (total.failed > 0) process.exitCode = 1
})
