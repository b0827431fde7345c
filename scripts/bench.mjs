#!/usr/bin/env node
// `npm run bench`: compares trimtab with a plain loop and the AI SDK on synthetic histories. `npm run bench -- NAME`
// runs another benchmark:
// - `tokens`: exact counts, compared with npm tokenizers
// - `langchain`: compared with LangChain's `ClearToolUsesEdit`
// - `sessions`: saving and loading
// - `outline`: outlines of 1 MB
// - `reading`: savings and cost of shortened views of files
// - `slices`: lines of files of 100 MB
// - `index`: adding files to the index, and searching it
// - `digests`: what digests of old reads save
// - `accuracy`: sections of outlines, compared with independent parsers
// - `estimates`: the error of `estimateTokens`
// - `page`: the built page with 40 MB
// - `money`: cost of policies on recorded sessions, compared with a lower bound
// - `against FOLDER`: compared with the build of another checkout
// Prints times and ratios. The other libraries are dependencies of benches/, a separate package, so that installing or
// testing this one does not need them.
import { cpus, loadavg } from 'node:os'
import { at } from './lib/project.mjs'
import { main, run, show, step } from './lib/run.mjs'
import { unlessUnchanged } from './lib/stamp.mjs'

/** npm writes its own copy of the lock file at the very end of an installation. */
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

/** Benchmarks by name, and the parts of the build that each needs. */
const benches = {
  history: { file: 'run.js', parts: ['--core', '--js'] },
  against: { file: 'against.js', parts: ['--core', '--js'] },
  index: { file: 'index.js', parts: ['--core', '--outline', '--js'] },
  digests: { file: 'digests.js', parts: ['--core', '--outline', '--js'] },
  langchain: { file: 'langchain.js', parts: ['--core', '--js'] },
  sessions: { file: 'sessions.js', parts: ['--core', '--js'], hasRivals: false },
  tokens: { file: 'tokens.js', parts: ['--core', '--encodings', '--js'] },
  money: { file: 'money.js', parts: ['--core', '--fitting', '--js'], hasRivals: false },
  slices: { file: 'slices.js', parts: ['--core', '--js'], hasRivals: false },
  reading: { file: 'reading.js', parts: ['--core', '--outline', '--js'] },
  outline: { file: 'outline.js', parts: ['--core', '--outline', '--js'] },
  page: { file: 'page.js', parts: ['--core', '--js', '--www'], hasRivals: false },
  accuracy: { file: 'accuracy.js', parts: ['--core', '--outline', '--js'] },
  estimates: {
    file: 'estimates.js',
    parts: ['--core', '--outline', '--encodings', '--js'],
    hasRivals: false,
  },
}

await main(async () => {
  const [name = 'history', ...rest] = process.argv.slice(2)
  const bench = benches[name]
  if (!bench) throw new Error(`unknown benchmark ${name}; known: ${Object.keys(benches).join(', ')}`)
  const isBuilt = await show([process.execPath, at('scripts', 'build.mjs'), ...bench.parts])
  if (!isBuilt) throw new Error('the package cannot be built, see above')
  if (bench.hasRivals !== false && !(await unlessUnchanged(installation, install)))
    console.log('  benches: unchanged')
  warnIfBusy()
  // With `--expose-gc`, the first projection can be measured without the garbage of creating the history.
  if (!(await show([process.execPath, '--expose-gc', at('benches', bench.file), ...rest])))
    process.exitCode = 1
})
