#!/usr/bin/env node
// `npm run bench`: trimtab beside a plain loop and the AI SDK, on made-up histories. Prints times and ratios.
// The rivals live in benches/, a package of its own: nobody who installs or tests this one needs them.
import { cpus, loadavg } from 'node:os'
import { at } from './lib/project.mjs'
import { main, run, show, step } from './lib/run.mjs'
import { unlessUnchanged } from './lib/stamp.mjs'

/** npm writes its own copy of the lock file as the last act of an installation. */
const installation = {
  name: 'benches',
  inputs: ['benches/package.json', 'benches/package-lock.json'],
  outputs: ['benches/node_modules/.package-lock.json'],
}

const install = () =>
  step('benches: npm ci', async () => {
    await run(['npm', 'ci', '--ignore-scripts'], { cwd: at('benches') })
  })

function warnIfBusy() {
  const [load] = loadavg()
  const cores = cpus().length
  if (load < cores) return
  const busy = `the machine is busy (load ${load.toFixed(1)} on ${cores} cores)`
  console.log(
    `\nNote: ${busy}: ratios of one table hold, milliseconds and ratios across sizes are too high.\n`,
  )
}

await main(async () => {
  const isBuilt = await show([process.execPath, at('scripts', 'build.mjs'), '--core', '--js'])
  if (!isBuilt) throw new Error('the package cannot be built, see above')
  if (!(await unlessUnchanged(installation, install))) console.log('  benches: unchanged')
  warnIfBusy()
  // With the collector in reach, first sight can be measured without the garbage of making the history.
  if (!(await show([process.execPath, '--expose-gc', at('benches', 'run.js')]))) process.exitCode = 1
})
