// Judges each session with data of the others: the session's own contribution to the probabilities that results are
// needed again is removed, and `cacheAware` replays it with the rest. `npm run bench -- money --left-out FILE...`
import { readFileSync } from 'node:fs'
import { simulate } from '../../js/dist/entries/money.js'
import { cacheAware } from '../../js/dist/entries/trimtab.js'
import { init } from '../../js/dist/slim.js'
import { exposuresOf, scaleOf } from './hazards.js'
import { mean, percent, shareOf, short, spread, table } from './report.js'
import { LONG, pricesAt, READS } from './sessions.js'

/** The core with probabilities as settings: `npm run build -- --fitting`. */
const ENGINE = new URL('../../target/bindgen/fitting/core_bg.wasm', import.meta.url)

/** Targets: maximum cost relative to the cheapest plan, and minimum shares of edits, reads and failures. */
const WANTED = {
  balanced: [1.08, 0.97, 0.88, 0.8],
  careful: [1.2, 0.99, 0.93, 0.9],
  thrifty: [0.93, 0.94, 0.7, 0],
}
const EVIDENCE = ['edits', 'files', 'failures']

/**
 * Cost of the cheapest plan that keeps all evidence, relative to sending everything; computed once per session and
 * price.
 */
const known = new Map()
function boundOf(session, read) {
  const key = `${session.name} ${read}`
  if (!known.has(key)) {
    const everything = (messages) => messages
    const options = { ...session.options, prices: pricesAt(read) }
    known.set(key, simulate(session.messages, { everything }, options).bounds.all.relativeCost)
  }
  return known.get(key)
}

/** Kinds of results for which the engine has probabilities, in its order. It has one for all reads of changed files. */
const KINDS = ['read', 'changed', 'overtaken', 'failure', 'print']
const asKnown = (one) => (one.kind === 'past' ? { ...one, kind: 'changed' } : one)

/**
 * Factors for the engine's probabilities: pairs for the next request and for any later one. The first kind, seen
 * results, has none.
 */
const scalesOf = (others, all) => [
  ...[1, 1],
  ...KINDS.flatMap((kind) => ['next', 'ever'].map((what) => scaleOf(others, all, kind, what))),
]

/** Result of a policy of this character for a session at a price, with these probabilities. */
function judged(session, character, read, scales) {
  const prices = pricesAt(read)
  const policy = cacheAware({ character, prices })
  const policies = { leftOut: { ...policy, retire: { ...policy.retire, scales } } }
  const [{ relativeCost, evidence }] = simulate(session.messages, policies, {
    ...session.options,
    prices,
    bounds: false,
  }).policies
  return { regret: relativeCost / boundOf(session, read), relativeCost, evidence }
}

function resultRow(character, read, results) {
  const shares = EVIDENCE.map((kind) => shareOf(results.map(({ evidence }) => evidence[kind])))
  const [most, ...least] = WANTED[character]
  const isMet =
    mean(results.map(({ regret }) => regret)) <= most &&
    shares.every((share, i) => share === null || share >= least[i])
  const wanted = `${short(most)}, ${least.map((share) => `${100 * share}`).join(' / ')} %`
  const found = [spread(results.map(({ regret }) => regret)), ...shares.map(percent)]
  return [character, read, ...found, wanted, isMet ? 'yes' : 'no']
}

export async function printLeftOut(sessions) {
  await init(readFileSync(ENGINE))
  const exposures = sessions.map((session) => exposuresOf(session).map(asKnown))
  const all = exposures.flat()
  const scales = exposures.map((_, out) =>
    scalesOf(
      exposures.flatMap((one, at) => (at === out ? [] : one)),
      all,
    ),
  )
  const titles = sessions.map(({ name }) => name)
  const scaleRows = KINDS.map((kind, i) => [
    kind,
    ...scales.map((list) => list.slice(2 * i + 2, 2 * i + 4).join(' / ')),
  ])
  console.log('\nWithout each session: its chances as multiples of all, by the next request / ever\n')
  console.log(table(['kind', ...titles], scaleRows))
  const judge = (character, read, isMeant) =>
    sessions.flatMap((session, at) =>
      isMeant(session) ? [judged(session, character, read, scales[at])] : [],
    )
  const isLong = ({ requests }) => requests >= LONG
  const rows = Object.keys(WANTED).flatMap((character) =>
    READS.map((read) => resultRow(character, read, judge(character, read, isLong))),
  )
  const heads = ['character', 'read', 'of the cheapest plan', ...EVIDENCE, 'wanted', 'met']
  console.log(
    `\nEach of ${sessions.filter(isLong).length} long sessions left out: geometric mean (least to most)\n`,
  )
  console.log(table(heads, rows))
  const isShort = (session) => !isLong(session)
  const costs = READS.flatMap((read) => Object.keys(WANTED).flatMap((one) => judge(one, read, isShort)))
  if (costs.length === 0) return
  const dearest = Math.max(...costs.map(({ relativeCost }) => relativeCost))
  console.log(`\nShort sessions cost at most ${short(dearest)} of sending everything (1.000 wanted).`)
}
