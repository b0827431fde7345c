// Compares this build with that of another checkout, and both with the AI SDK's `pruneMessages`: in one process, taking
// turns, with the fastest time of each step. `npm run bench -- against FOLDER [SWEEPS]`; FOLDER must be built (`npm run
// build -- --core --js`). The ratios show changes of a few percent, also on a busy machine, which two runs of `npm run
// bench` do not.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pruneMessages } from 'ai'
import { drawScript, scriptBytes } from './history.js'
import { collectGarbage, Times } from './measure.js'
import { toModelMessages } from './model-messages.js'
import { columns } from './report.js'
import { firstSight, steadySteps } from './steps.js'

const SIZES = [
  { count: 1_000, bytes: 4_500_000, steps: 200, fresh: 12 },
  { count: 10_000, bytes: 45_000_000, steps: 100, fresh: 2 },
]
const PRUNE = 'AI SDK pruneMessages'
const pruned = (messages) => pruneMessages({ messages, toolCalls: 'before-last-10-messages' })

const [folder, sweeps = '6'] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder of the other checkout: against FOLDER')

/** Imports `trimtab` from a checkout. */
async function packageIn(path) {
  const root = resolve(path)
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return import(pathToFileURL(join(root, exports['.'].default)).href)
}

/** Functions of one build that a host may call at each step; each starts a new conversation. */
const scenariosOf = ({ Context, rollingContext, smartRetention, truncateOldToolOutputs }) => ({
  'Context.project': () => {
    const context = new Context({ ...rollingContext(), recall: false })
    return (messages) => context.project(messages).messages
  },
  'Context.project, smart retention': () => {
    const context = new Context(smartRetention())
    return (messages) => context.project(messages).messages
  },
  'Context.project, by age alone': () => {
    const context = new Context({ ...rollingContext({ preserveRecentFiles: false }), recall: false })
    return (messages) => context.project(messages).messages
  },
  truncateOldToolOutputs: () => (messages) => truncateOldToolOutputs(messages),
})

const mine = scenariosOf(await packageIn(join(import.meta.dirname, '..')))
const others = scenariosOf(await packageIn(folder))
const scenarios = Object.keys(mine)
const other = (name) => `${name}, other`
const rivals = [
  ...scenarios.flatMap((name) => [
    { name, make: mine[name] },
    { name: other(name), make: others[name] },
  ]),
  { name: PRUNE, make: () => pruned, convert: toModelMessages },
]

const digits = (value) => value.toPrecision(3)
const ratio = (a, b) => `${digits(a / b)}x`

/** Prints one scenario's times for both builds, and their ratios to each other and to pruneMessages. */
function print(title, unit, time) {
  const head = [title, `this: ${unit}`, `other: ${unit}`, 'this / other', 'this / prune', 'other / prune']
  const prune = time(PRUNE)
  const rows = scenarios.map((name) => {
    const [own, before] = [time(name), time(other(name))]
    return [name, digits(own), digits(before), ratio(own, before), ratio(own, prune), ratio(before, prune)]
  })
  console.log(`\n${columns([head, ...rows])}`)
}

for (const size of SIZES) {
  const script = drawScript({ ...size, extra: size.steps })
  const megabytes = scriptBytes(script.slice(0, size.count)) / 1e6
  const named = `${size.count.toLocaleString('en')} messages`
  const [steady, first] = [new Times(), new Times()]
  steadySteps(new Times(), rivals, script, size) // Warms up.
  for (let sweep = 0; sweep < Number(sweeps); sweep++) {
    await collectGarbage()
    steadySteps(steady, rivals, script, size)
  }
  print(`one new message, ${named}`, 'ms', (name) => steady.fastest(name, size.steps))
  const start = script.slice(0, size.count)
  for (let turn = 0; turn < 2; turn++) await firstSight(new Times(), rivals, start, turn) // Warms up.
  for (let turn = 0; turn < size.fresh; turn++) await firstSight(first, rivals, start, turn)
  print(`first sight, ${named}`, 'ms/MB', (name) => first.quantile(name, 0) / megabytes)
}
