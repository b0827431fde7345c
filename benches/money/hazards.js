// Probability that results are needed again, counted in sessions: the data behind the curves of src/projection/need.rs.
// Counts requests that could have cleared a result, by what the engine knew of it then, and those that needed it. `npm
// run bench -- money --hazards FILE...`

import { History } from '../../js/dist/history/history.js'
import { NeutralHistory } from '../../js/dist/history/read-messages.js'
import { boundProblem } from '../../js/dist/money/bound.js'
import { record } from '../../js/dist/money/session.js'
import { table } from './report.js'
import { pricesAt } from './sessions.js'

/**
 * Kinds of results. Of the reads of a changed file, those that the work on it has left behind are separate (`past`).
 */
const KINDS = ['read', 'changed', 'past', 'overtaken', 'failure', 'print']

/** A smaller result is hardly longer than its stub. */
const LEAST_TOKENS = 30

/** Commands that print files, as in src/projection/passes/retire.rs. */
const PRINTERS = new Set(['awk', 'cat', 'grep', 'head', 'nl', 'rg', 'sed', 'tail'])

/**
 * Exposures of the results of one session: for each request in which a result could have been cleared, its kind, the
 * number of requests since it was of use, and whether this request needed it, or this or any later one.
 *
 * @typedef {{ kind: string, idle: number, next: boolean, ever: boolean }} Exposure
 * @returns {Exposure[]}
 */
export function exposuresOf({ messages, options }) {
  const recorded = record(messages, options.format, undefined)
  const billing = { prices: pricesAt(0.1), systemTokens: 0, pauses: [], cacheSeconds: null, window: null }
  const { needs, results, session } = boundProblem(recorded, billing)
  const requests = recorded.requests.length
  const neededAt = results.map(() => [])
  // The newest of several holders: the older ones may be cleared.
  for (const { request, holders } of needs) if (holders.length > 0) neededAt[holders.at(-1)].push(request)
  const uses = usesOf(recorded)
  const found = results.flatMap(({ message, part }, at) => {
    const use = uses.find((one) => one.message === message && (part === null || one.block === part))
    const { arrives, saves } = session.results[at]
    if (use === undefined || saves < LEAST_TOKENS) return []
    const last = Math.max(-1, ...neededAt[at])
    return Array.from({ length: requests - arrives - 1 }, (_, i) => {
      const request = arrives + 1 + i
      const known = knownOf(use, uses, request)
      return known && { ...known, next: neededAt[at].includes(request), ever: last >= request }
    })
  })
  recorded.sizes.free()
  return found.filter(Boolean)
}

/** Results with facts of their calls. A result of step `n` arrives with request `n`. */
function usesOf({ messages, format }) {
  const session = new History(format)
  const history = new NeutralHistory(session, messages)
  const uses = history.blocks().flatMap((facts) => {
    if (facts.kind !== 'tool-result') return []
    const call = history.callOf(facts)
    if (call === undefined) return []
    const { message, block, isError, origin, files, command, tool } = facts
    const step = history.messages[call.message].step
    return [{ message, block, isError, origin, files, command, step, run: `${tool} ${history.textOf(call)}` }]
  })
  session.free()
  return uses
}

/**
 * What the engine knows of a result at a request, as in `known_of_result`, and which reads of a changed file are past;
 * `undefined` if the result is of no use, or is always kept.
 */
function knownOf(use, uses, request) {
  const { origin, isError, files, step, run } = use
  const sofar = uses.filter((one) => one.step <= request)
  const age = request - step
  if (isError) {
    if (origin === 'edit' || origin === 'write') return undefined
    const isRetried = sofar.some((one) => one.step > step && one.run === run)
    return isRetried ? undefined : { kind: 'failure', idle: age }
  }
  if (origin === 'shell') return printsFile(use) ? { kind: 'print', idle: age } : undefined
  if (origin !== 'read' && !(origin === 'other' && files.length > 0)) return undefined
  const naming = sofar.filter((one) => ['read', 'edit', 'write'].includes(one.origin) && shares(one, use))
  const isChanged = naming.some((one) => one.origin !== 'read')
  if (naming.some((one) => overtakes(one, use))) return { kind: 'overtaken', idle: age }
  const idle = request - Math.max(step, ...naming.map((one) => one.step - 1))
  const kind = files.every((file) => isPast(file, use, naming)) ? 'past' : 'changed'
  return { kind: isChanged ? kind : 'read', idle: Math.max(1, idle) }
}

/** Whether a later step read a file again, or the change that its lines were read for has been made. */
function isPast({ path, startLine, endLine }, use, naming) {
  const isPart = startLine !== null || endLine !== null
  return naming.some(
    (one) =>
      !one.isError &&
      one.files.some((file) => file.path === path) &&
      (one.origin === 'read' ? one.step > use.step : isPart && isLater(one, use)),
  )
}

function printsFile({ command }) {
  return (command ?? '').split(/[&;]/).some((run) => PRINTERS.has(run.trim().split(/\s/)[0]))
}

const shares = (one, other) => one.files.some(({ path }) => other.files.some((file) => file.path === path))

const isLater = (one, other) =>
  one.message === other.message ? one.block > other.block : one.message > other.message

function overtakes(one, use) {
  if (one.message < use.message || one === use || one.files.length !== 1 || use.files.length !== 1)
    return false
  if (one.origin === 'write') return true
  if (one.origin !== 'read' || one.isError || one.message === use.message) return false
  const [a, b] = [one.files[0], use.files[0]]
  const from = (file) => file.startLine ?? 1
  const to = (file) => file.endLine ?? Number.POSITIVE_INFINITY
  return from(a) <= from(b) && to(a) >= to(b)
}

/**
 * Fits `height / (1 + (requests / width)²) + floor` to yes and no by number of requests, with maximum likelihood: a
 * search with decreasing steps.
 *
 * @param {{ idle: number, n: number, yes: number }[]} cells
 * @returns {[number, number, number]}
 */
export function fitCurve(cells) {
  const loss = ([height, width, floor]) => {
    let sum = 0
    for (const { idle, n, yes } of cells) {
      const chance = Math.min(0.999, height / (1 + (idle / width) ** 2) + floor)
      sum -= yes * Math.log(chance) + (n - yes) * Math.log(1 - chance)
    }
    return sum
  }
  let best = [0.1, 5, 0.01]
  for (let step = 4; step > 1.005; step = Math.sqrt(step)) {
    for (let isBetter = true; isBetter; ) {
      isBetter = false
      for (let at = 0; at < 3; at++)
        for (const factor of [step, 1 / step]) {
          const next = best.map((value, i) => (i === at ? value * factor : value))
          if (next[0] > 0.9 || next[1] < 0.3 || next[1] > 200 || next[2] < 1e-5 || next[0] < 1e-5) continue
          if (loss(next) < loss(best) - 1e-9) {
            best = next
            isBetter = true
          }
        }
    }
  }
  return best.map((value) => Number(value.toPrecision(3)))
}

/** Counts by number of requests, over all sessions. */
export function cellsOf(exposures, kind, what) {
  const cells = new Map()
  for (const one of exposures) {
    if (one.kind !== kind) continue
    const cell = cells.get(one.idle) ?? { idle: one.idle, n: 0, yes: 0 }
    cell.n++
    cell.yes += Number(one[what])
    cells.set(one.idle, cell)
  }
  return [...cells.values()].sort((a, b) => a.idle - b.idle)
}

/** Boundaries, in requests, between spans with separate probabilities. */
const SPANS = [0, 1, 3, 8, 20, 60]

/** Counts how often results of a kind were needed, by spans of requests. */
function countsOf(exposures, kind, what) {
  const counts = SPANS.map(() => ({ n: 0, yes: 0 }))
  for (const { idle, n, yes } of cellsOf(exposures, kind, what)) {
    const count = counts[SPANS.findLastIndex((span) => idle > span)]
    count.n += n
    count.yes += yes
  }
  return counts
}

/**
 * How often results of a kind were needed in some sessions, relative to the frequency expected from all. One more need
 * is added on both sides, so that small counts have little effect.
 */
export function scaleOf(some, all, kind, what) {
  const chances = countsOf(all, kind, what).map(({ n, yes }) => yes / Math.max(1, n))
  const counts = countsOf(some, kind, what)
  const expected = counts.reduce((sum, { n }, at) => sum + n * chances[at], 0)
  const found = counts.reduce((sum, { yes }) => sum + yes, 0)
  return Number(((found + 1) / (expected + 1)).toPrecision(3))
}

/** Constant probability, independent of time. */
function flatCurve(cells) {
  const sum = (what) => cells.reduce((total, cell) => total + cell[what], 0)
  return [0, 1, Number((sum('yes') / Math.max(1, sum('n'))).toPrecision(3))]
}

/** For each kind, the curve for the next request, and the curve for any later one. */
function fitHazards(exposures) {
  // A result is overtaken all at once, and a handful of exceptions has no curve.
  const fit = (kind) => (kind === 'overtaken' ? flatCurve : fitCurve)
  return KINDS.flatMap((kind) =>
    ['next', 'ever'].flatMap((what) => fit(kind)(cellsOf(exposures, kind, what))),
  )
}

/** Prints the curves fitted to all sessions, and to all but each one: how much they depend on it. */
export function printHazards(sessions) {
  const exposures = new Map(sessions.map((session) => [session, exposuresOf(session)]))
  const fitted = (title, chosen) => {
    const hazards = fitHazards(chosen.flatMap((session) => exposures.get(session)))
    const curve = (at) => hazards.slice(at, at + 3).join(', ')
    const rows = KINDS.map((kind, i) => [kind, curve(6 * i), curve(6 * i + 3)])
    console.log(`\n${title}\n`)
    console.log(table(['kind', 'next: height, width, floor', 'ever: height, width, floor'], rows))
  }
  fitted(`Fitted to ${sessions.length} sessions`, sessions)
  for (const session of sessions)
    fitted(
      `Without ${session.name}`,
      sessions.filter((other) => other !== session),
    )
}
