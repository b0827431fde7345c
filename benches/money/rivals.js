// Compares families of simple policies with `cacheAware`, over a grid: "keep the newest k, clear the rest in batches of
// b tokens", and "at t tokens clear all but the newest k". `npm run bench -- money --rivals FILE...` lists each that is
// cheaper and keeps as much.
import { PRICES, simulate } from '../../js/dist/entries/money.js'
import { cacheAware } from '../../js/dist/entries/trimtab.js'
import { Clearing } from '../../js/dist/money/clearable.js'
import { record } from '../../js/dist/money/session.js'
import { percent, shareOf, short, table } from './report.js'
import { pricesAt, READS } from './sessions.js'

export const GRID = {
  keep: [0, 1, 3, 5, 10, 20],
  batch: [2000, 5000, 10_000, 20_000, 40_000],
  limit: [20_000, 40_000, 60_000, 80_000, 100_000, 140_000],
}
const CHARACTERS = ['careful', 'balanced', 'thrifty']

/** Policies of a grid. `isTime` decides from the tokens of the view and of the clearable results. */
function rivalsOf({ keep, batch, limit }) {
  const thousand = (tokens) => tokens.toLocaleString('en')
  return keep.flatMap((newest) => [
    ...batch.map((least) => ({
      name: `newest ${newest} stay, batches of ${thousand(least)}`,
      newest,
      isTime: (_, clearable) => clearable >= least,
    })),
    ...limit.map((most) => ({
      name: `at ${thousand(most)} all but the newest ${newest}`,
      newest,
      isTime: (view) => view >= most,
    })),
  ])
}

/** Makes views as a rival would: cleared results stay cleared. */
function viewOf({ newest, isTime }, { clearing, saves, sizes }) {
  const cleared = new Map()
  const shown = new Map()
  let gone = 0
  let saved = 0
  let tokens = 0
  let seen = 0
  return (messages) => {
    for (; seen < messages.length; seen++) tokens += sizes[seen]
    const { results } = clearing
    let end = results.length
    while (end > 0 && results[end - 1].message >= messages.length) end--
    end = Math.max(gone, end - newest)
    const clearable = saves.slice(gone, end).reduce((sum, one) => sum + one, 0)
    if (end > gone && isTime(tokens - saved, clearable)) {
      for (const one of results.slice(gone, end)) {
        const list = [...(cleared.get(one.message) ?? []), one]
        cleared.set(one.message, list)
        shown.set(one.message, clearing.without(one.message, list))
      }
      gone = end
      saved += clearable
    }
    return messages.map((message, at) => shown.get(at) ?? message)
  }
}

/** Results of rivals and presets for a session: cost by price, relative to sending everything, and evidence. */
function outcomesOf(session, grid) {
  const { messages, options } = session
  const recorded = record(messages, options.format, undefined)
  const clearing = new Clearing(messages, recorded.format)
  const size = (message) => recorded.sizes.of(message)
  const saves = clearing.results.map(
    (one) => size(clearing.showing(one)) - size(clearing.cleared(one.message)),
  )
  const facts = { clearing, saves, sizes: messages.map(size) }
  const rivals = Object.fromEntries(rivalsOf(grid).map((rival) => [rival.name, viewOf(rival, facts)]))
  const everything = (all) => all
  const simulated = simulate(messages, { everything, ...rivals }, { ...options, bounds: false })
  recorded.sizes.free()
  const [base, ...found] = simulated.policies.map((one) => ({
    ...one,
    costAt: costsOf(one, PRICES.anthropic),
  }))
  return found.map(({ name, evidence, costAt }) => ({
    name,
    evidence,
    costAt: Object.fromEntries(READS.map((read) => [read, costAt(read) / base.costAt(read)])),
  }))
}

/**
 * Cost as a function of the read price. A view that ignores prices has fixed amounts of reads and writes, known from
 * its cost at one price.
 */
function costsOf({ cost, tokensSent }, { cacheRead, cacheWrite }) {
  const written = (cost - cacheRead * tokensSent) / (cacheWrite - cacheRead)
  return (read) => read * (tokensSent - written) + cacheWrite * written
}

function presetsOf({ messages, options }, read) {
  const prices = pricesAt(read)
  const policies = Object.fromEntries(
    CHARACTERS.map((character) => [character, cacheAware({ prices, character })]),
  )
  return simulate(messages, policies, { ...options, prices, bounds: false }).policies
}

const keepsAsMuch = (one, other) =>
  ['edits', 'files'].every((kind) => one.evidence[kind].kept >= other.evidence[kind].kept)

/** Costs that differ by less are equal sums in another order. */
const SAME = 1e-6

/**
 * Returns the rivals that are cheaper than a preset and keep as many edits and reads, by session and price.
 *
 * @returns {{ session: string, read: number, preset: { name: string }, rival: { name: string } }[]}
 */
export function betterRivals(session, grid = GRID) {
  const rivals = outcomesOf(session, grid)
  // If no step relied on an edited text or a read, the rival that clears most is always best.
  if (rivals.every(({ evidence }) => evidence.edits.of + evidence.files.of === 0)) return []
  return READS.flatMap((read) =>
    presetsOf(session, read).flatMap((preset) =>
      rivals
        .filter((rival) => rival.costAt[read] < preset.relativeCost - SAME && keepsAsMuch(rival, preset))
        .map((rival) => ({ session: session.name, read, preset, rival })),
    ),
  )
}

export function printRivals(sessions) {
  const found = sessions.flatMap((session) => betterRivals(session))
  const evidence = (one) =>
    ['edits', 'files'].map((kind) => percent(shareOf([one.evidence[kind]]))).join(', ')
  const rows = found.map(({ session, read, preset, rival }) => [
    session,
    read,
    `${preset.name}: ${short(preset.relativeCost)}, ${evidence(preset)}`,
    `${rival.name}: ${short(rival.costAt[read])}, ${evidence(rival)}`,
  ])
  const count = rivalsOf(GRID).length
  console.log(
    `\n${count} rivals on ${sessions.length} sessions at ${READS.length} prices: ${rows.length} better`,
  )
  if (rows.length > 0)
    console.log(`\n${table(['session', 'read', 'preset: cost, edits, reads', 'rival'], rows)}`)
}
