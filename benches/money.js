// Cost of policies on recorded sessions, compared with a lower bound: sessions x prices x policies x bounds, the tables
// of docs/measurements.md. `npm run bench -- money --all FILE...` (default: the sessions in ../shared/data, if they
// exist) makes all tables. Without a flag: the tables of the policies, of rivals and of sessions that end early.
// `--rivals` and `--prefixes` make one of these; `--left-out` (each session judged with data of the others) and
// `--hazards` (how often results are needed again) make the other two.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { simulate } from '../js/dist/entries/money.js'
import { cacheAware, clearOldToolUses } from '../js/dist/entries/trimtab.js'
import { printHazards } from './money/hazards.js'
import { printLeftOut } from './money/left-out.js'
import { printPrefixes } from './money/prefixes.js'
import { mean, percent, shareOf, short, spread, table } from './money/report.js'
import { printRivals } from './money/rivals.js'
import { LONG, pricesAt, READS, sessionsOf } from './money/sessions.js'

/** The preset that keeps the newest results, and clears the rest in batches, or when the view has reached a size. */
const clearAt = (value, keep, clearAtLeast) =>
  clearOldToolUses({
    trigger: { type: 'input_tokens', value },
    keep: { type: 'tool_uses', value: keep },
    ...(clearAtLeast === undefined ? {} : { clearAtLeast }),
  })
const batches = (keep, clearAtLeast) => clearAt(0, keep, clearAtLeast)

const policiesAt = (prices) => ({
  'cacheAware careful': cacheAware({ prices, character: 'careful' }),
  'cacheAware balanced': cacheAware({ prices }),
  'cacheAware thrifty': cacheAware({ prices, character: 'thrifty' }),
  'cacheAware, prices of .1': cacheAware(),
  'clear, newest 5, batches of 20,000': batches(5, 20_000),
  'clear, newest 10, batches of 40,000': batches(10, 40_000),
  'clear at 60,000 all but 5': clearAt(60_000, 5),
  'clear at 100,000 all but 3': clearAt(100_000, 3),
})

function policyTable(simulations) {
  const rows = simulations[0].policies.map(({ name }, at) => {
    const of = simulations.map(({ policies }) => policies[at])
    const evidence = (kind) => percent(shareOf(of.map((one) => one.evidence[kind])))
    return [
      name,
      spread(of.map(({ relativeCost }) => relativeCost)),
      short(mean(of.map(({ refetched }) => refetched.relativeCost))),
      spread(of.map(({ regret }) => regret)),
      ...['edits', 'files', 'failures'].map(evidence),
    ]
  })
  return table(['policy', 'cost', 'fetched again', 'regret', 'edits', 'files', 'failures'], rows)
}

function boundTable(sessions, results) {
  const rows = sessions.map(({ name, requests }, at) => [
    name,
    requests,
    ...results.map((simulations) => {
      const { bounds } = simulations[at]
      return bounds === null ? '-' : `${short(bounds.all.relativeCost)} / ${short(bounds.edits.relativeCost)}`
    }),
  ])
  return table(['session', 'requests', ...READS.map((read) => `read ${read}`)], rows)
}

function printPolicies(sessions) {
  const results = READS.map((read) => {
    const prices = pricesAt(read)
    const policies = policiesAt(prices)
    return sessions.map(({ messages, options }) => simulate(messages, policies, { ...options, prices }))
  })
  console.log(
    '\nThe bound: cheapest plan with all evidence / with the texts of edits, of sending everything\n',
  )
  console.log(boundTable(sessions, results))
  READS.forEach((read, index) => {
    for (const kind of ['long', 'short']) {
      const isMeant = (_, at) => sessions[at].requests >= LONG === (kind === 'long')
      const chosen = results[index].filter(isMeant)
      if (chosen.length === 0) continue
      const title = `Cache reads at ${read}, ${chosen.length} ${kind} sessions: geometric mean (least to most)`
      console.log(`\n${title}\n\n${policyTable(chosen)}`)
    }
  })
}

const PARTS = {
  '--rivals': printRivals,
  '--prefixes': printPrefixes,
  '--left-out': printLeftOut,
  '--hazards': printHazards,
}
/** `--left-out` uses another engine file, and a process has one engine: each part is a separate process. */
function runAll(files) {
  for (const flags of [[], ['--left-out'], ['--hazards']]) {
    const program = [fileURLToPath(import.meta.url), ...flags, ...files]
    const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  }
}

const given = process.argv.slice(2)
const files = given.filter((argument) => !argument.startsWith('--'))
const part = given.find((argument) => argument.startsWith('--'))
if (part === '--all') runAll(files)
else if (part === undefined) {
  const sessions = sessionsOf(files)
  printPolicies(sessions)
  printRivals(sessions)
  printPrefixes(sessions)
} else if (PARTS[part] === undefined)
  throw new Error(`unknown option ${part}; known: --all, ${Object.keys(PARTS).join(', ')}`)
else await PARTS[part](sessionsOf(files))
