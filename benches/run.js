// Compares trimtab with a plain loop and with the AI SDK's `pruneMessages`, in one process and taking turns. `npm run
// bench` in the project's root builds, installs and runs this. It prints figures and judges them, but only a rival that
// does different work is an error; a missed target on a busy machine is not. Steps are judged by the fastest time of
// each in all sweeps, first sight by processor time.
import { pruneMessages } from 'ai'
import {
  Context,
  rollingContext,
  smartRetention,
  truncateOldToolOutputs,
} from '../js/dist/entries/trimtab.js'
import { checkSameEdits } from './check.js'
import { drawScript, play, scriptBytes } from './history.js'
import { collectGarbage, Times } from './measure.js'
import { toModelMessages } from './model-messages.js'
import { plainLoop } from './plain-loop.js'
import { table, verdict } from './report.js'
import { firstSight, steadySteps } from './steps.js'

const SIZES = {
  small: { count: 1_000, bytes: 4_500_000, steps: 200, fresh: 40 },
  large: { count: 10_000, bytes: 45_000_000, steps: 100, fresh: 8 },
}
const SWEEPS = 8

/** Age 5 keeps five steps; a step is a call and its result. */
const PRUNE = { toolCalls: 'before-last-10-messages' }
const BY_AGE_ALONE = { preserveRecentFiles: false }

const CONTEXT = 'Context.project'
const SMART = 'Context.project, smart retention'
const STATELESS = 'truncateOldToolOutputs'
const LOOP = 'plain loop'
const PRUNE_NAME = 'AI SDK pruneMessages'
const alone = (name) => `${name}, by age alone`

/** Settings equal to the loop's: it has no references, and keeps all failures. */
const AS_THE_LOOP = { recall: false, protect: { failureTokens: 2 ** 31 } }

/**
 * Functions that return the messages to send for one conversation. A host calls one at each step.
 *
 * @type {Record<string, () => (messages: object[]) => readonly object[]>}
 */
const RIVALS = {
  [CONTEXT]: () => {
    const context = new Context({ ...rollingContext(), ...AS_THE_LOOP })
    return (messages) => context.project(messages).messages
  },
  [SMART]: () => {
    const context = new Context(smartRetention())
    return (messages) => context.project(messages).messages
  },
  [STATELESS]: () => (messages) => truncateOldToolOutputs(messages),
  [LOOP]: () => (messages) => plainLoop(messages),
  [alone(CONTEXT)]: () => {
    const context = new Context({ ...rollingContext(BY_AGE_ALONE), ...AS_THE_LOOP })
    return (messages) => context.project(messages).messages
  },
  [alone(LOOP)]: () => (messages) => plainLoop(messages, BY_AGE_ALONE),
  [PRUNE_NAME]: () => (messages) => pruneMessages({ messages, ...PRUNE }),
}

const timed = (name) => ({
  name,
  make: RIVALS[name],
  ...(name === PRUNE_NAME && { convert: toModelMessages }),
})
const STEADY = Object.keys(RIVALS).map(timed)
const FIRST = [CONTEXT, SMART, STATELESS, LOOP, PRUNE_NAME].map(timed)

/** Checks that trimtab and the loop make the same edits, at several lengths of a history. */
function checkEquivalence(script) {
  const all = play(script)
  let edits = 0
  for (const part of [0.35, 0.7, 0.999, 1]) {
    const messages = all.slice(0, Math.floor(all.length * part))
    const views = (names) => Object.fromEntries(names.map((name) => [name, RIVALS[name]()(messages)]))
    edits += checkSameEdits(messages, views([CONTEXT, LOOP]))
    const context = new Context({ ...rollingContext(), recall: false })
    checkSameEdits(messages, { ...views([STATELESS]), context: context.project(messages).messages })
    edits += checkSameEdits(messages, views([alone(CONTEXT), alone(LOOP)]))
  }
  return edits
}

function prepare(size) {
  const script = drawScript({ ...size, extra: size.steps })
  const edits = checkEquivalence(script)
  const bytes = scriptBytes(script.slice(0, size.count))
  const count = size.count.toLocaleString('en')
  const total = edits.toLocaleString('en')
  console.log(
    `${count} messages, ${(bytes / 1e6).toFixed(2)} MB: ${total} edits of trimtab and the loop compared, all the same`,
  )
  return script
}

const timesBySize = () => ({ small: new Times(), large: new Times() })

/** Sizes take turns as well: the ratio between them is one of the figures. */
async function measureSteady(scripts) {
  const times = timesBySize()
  for (const size of ['small', 'large']) steadySteps(new Times(), STEADY, scripts[size], SIZES[size]) // Warms up.
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const size of ['small', 'large']) {
      await collectGarbage()
      steadySteps(times[size], STEADY, scripts[size], SIZES[size])
    }
  }
  return times
}

async function measureFirst(scripts) {
  const times = timesBySize()
  for (const size of ['small', 'large']) {
    for (let turn = 0; turn < 4; turn++) await firstSight(new Times(), FIRST, scripts[size], turn) // Warms up.
    for (let turn = 0; turn < SIZES[size].fresh; turn++)
      await firstSight(times[size], FIRST, scripts[size], turn)
  }
  return times
}

const rival = (name, loop = LOOP) => ({ name, loop })
const steadyRivals = [
  rival(CONTEXT),
  rival(SMART),
  rival(STATELESS),
  rival(LOOP),
  rival(alone(CONTEXT), alone(LOOP)),
  rival(alone(LOOP), alone(LOOP)),
  rival(PRUNE_NAME),
]
const firstRivals = FIRST.map(({ name }) => rival(name))

const scripts = { small: prepare(SIZES.small), large: prepare(SIZES.large) }
const steady = await measureSteady(scripts)
const first = await measureFirst(scripts)

console.log(`
Node ${process.version}, ${process.platform} ${process.arch}. Median milliseconds (first sight: of processor time); "/ loop" and "/ prune" are ratios.

${table({ title: 'one new message', ...steady, rivals: steadyRivals, prune: PRUNE_NAME })}

${table({ title: 'first sight', ...first, rivals: firstRivals, prune: PRUNE_NAME })}
`)
const inSteady = (a, b, size = 'small') => ({
  value: (part) => steady[size].quantile(a, part) / steady[size].quantile(b, part),
  fastest: () => steady[size].fastest(a, SIZES[size].steps) / steady[size].fastest(b, SIZES[size].steps),
  unit: 'x',
})
const inFirst = (name, unitsOfWork) => ({
  value: (part) => first.small.quantile(name, part) / unitsOfWork,
  fastest: () => first.small.quantile(name, 0) / unitsOfWork,
  unit: ' ms',
})
const megabytes = scriptBytes(scripts.small.slice(0, SIZES.small.count)) / 1e6
const figures = [
  { what: `${SMART} / ${PRUNE_NAME}`, ...inSteady(SMART, PRUNE_NAME), limit: 1 },
  {
    what: `${SMART} / ${PRUNE_NAME}, 10,000 messages`,
    ...inSteady(SMART, PRUNE_NAME, 'large'),
    limit: 1,
  },
  { what: `${SMART}, first sight of a megabyte`, ...inFirst(SMART, megabytes), limit: 8 },
  { what: `${CONTEXT} / ${PRUNE_NAME}`, ...inSteady(CONTEXT, PRUNE_NAME), limit: 1 },
  { what: `${CONTEXT} / ${LOOP}`, ...inSteady(CONTEXT, LOOP), limit: 2 },
  { what: `${CONTEXT} / ${LOOP}, by age alone`, ...inSteady(alone(CONTEXT), alone(LOOP)), limit: 2 },
  {
    what: `${CONTEXT}, 10,000 messages / 1,000 messages`,
    value: (part) => steady.large.quantile(CONTEXT, part) / steady.small.quantile(CONTEXT, part),
    fastest: () =>
      steady.large.fastest(CONTEXT, SIZES.large.steps) / steady.small.fastest(CONTEXT, SIZES.small.steps),
    limit: 15,
    unit: 'x',
  },
  { what: `${STATELESS}, first sight`, ...inFirst(STATELESS, 1), limit: 15 },
  // A context repeats its decisions; the function has none and judges every old result again.
  { what: `${STATELESS} / ${CONTEXT}, next call`, ...inSteady(STATELESS, CONTEXT), limit: 1.3 },
]
console.log('Promised, for 1,000 messages of 4.5 MB where nothing else is said:')
for (const figure of figures) console.log(verdict(figure))
