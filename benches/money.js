// What policies cost on recorded sessions, beside what none could beat: sessions x prices x policies x bounds, as the tables
// of docs/measurements.md. `npm run bench -- money FILE...` (default: the sessions in ../shared/data, where they are there).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { PRICES, simulate } from '../js/dist/entries/money.js'
import { readTranscript } from '../js/dist/entries/transcripts.js'
import { cacheAware, clearOldToolUses } from '../js/dist/entries/trimtab.js'

const READS = [0.1, 0.05, 0.025]
/** Below this a policy has no time to pay: such sessions are told apart. */
const LONG = 100
const SHARED = new URL('../../shared/data/', import.meta.url)

const files = process.argv.slice(2)
if (files.length === 0 && existsSync(SHARED)) {
  const names = readdirSync(SHARED).filter((name) => /\.jsonl$|messages\.json$/.test(name))
  files.push(...names.sort().map((name) => new URL(name, SHARED).pathname))
}
if (files.length === 0) throw new Error('no session: npm run bench -- money FILE...')

/** Newest results stay, the rest goes in batches, or when the view has reached a size. */
const batches = (keep, value) => ({
  clear: {
    trigger: { type: 'input_tokens', value: 0 },
    keep: { type: 'tool_uses', value: keep },
    clearAtLeast: value,
    clearErrors: true,
  },
})
const clearAt = (value, keep) =>
  clearOldToolUses({
    trigger: { type: 'input_tokens', value },
    keep: { type: 'tool_uses', value: keep },
    clearErrors: true,
  })

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

const sessions = files.map((file) => {
  const transcript = readTranscript(readFileSync(file, 'utf8'), { history: 'full' })
  return { name: basename(file).replace(/\..*$/, ''), ...transcript }
})
const results = READS.map((cacheRead) => {
  const prices = { ...PRICES.anthropic, cacheRead }
  const policies = policiesAt(prices)
  const options = ({ format, system }) => ({ prices, format, ...(system === undefined ? {} : { system }) })
  return sessions.map((session) => simulate(session.messages, policies, options(session)))
})

const mean = (list) => Math.exp(list.reduce((sum, one) => sum + Math.log(one), 0) / list.length)
const two = (value) => value.toFixed(3).replace(/^0/, '')
const spread = (list) => `${two(mean(list))} (${two(Math.min(...list))} to ${two(Math.max(...list))})`
const share = (list) => {
  const of = list.reduce((sum, one) => sum + one.of, 0)
  return of === 0 ? '-' : `${Math.round((100 * list.reduce((sum, one) => sum + one.kept, 0)) / of)} %`
}
const row = (cells) => `| ${cells.join(' | ')} |`
const table = (titles, rows) => [row(titles), row(titles.map(() => '---')), ...rows.map(row)].join('\n')

function policyTable(simulations) {
  const rows = simulations[0].policies.map(({ name }, at) => {
    const of = simulations.map(({ policies }) => policies[at])
    const evidence = (kind) => share(of.map((one) => one.evidence[kind]))
    return [
      name,
      spread(of.map(({ relativeCost }) => relativeCost)),
      two(mean(of.map(({ refetched }) => refetched.relativeCost))),
      spread(of.map(({ regret }) => regret)),
      ...['edits', 'files', 'failures'].map(evidence),
    ]
  })
  return table(['policy', 'cost', 'fetched again', 'regret', 'edits', 'files', 'failures'], rows)
}

const isLong = (at) => results[0][at].requests >= LONG
const boundRows = sessions.map(({ name }, at) => [
  name,
  results[0][at].requests,
  ...results.map((simulations) => {
    const { bounds } = simulations[at]
    return bounds === null ? '-' : `${two(bounds.all.relativeCost)} / ${two(bounds.edits.relativeCost)}`
  }),
])
console.log('\nThe bound: cheapest plan with all evidence / with the texts of edits, of sending everything\n')
console.log(table(['session', 'requests', ...READS.map((read) => `read ${read}`)], boundRows))
READS.forEach((read, index) => {
  for (const [kind, wanted] of [
    ['long', true],
    ['short', false],
  ]) {
    const chosen = results[index].filter((_, at) => isLong(at) === wanted)
    if (chosen.length === 0) continue
    console.log(
      `\nCache reads at ${read}, ${chosen.length} ${kind} sessions: geometric mean (least to most)\n`,
    )
    console.log(policyTable(chosen))
  }
})
