#!/usr/bin/env node
// `npm run mutants`: the mutation score of src/projection. cargo-mutants changes the code in one place after the other,
// and the Rust tests should notice. Takes hours; what follows `--` goes to cargo-mutants and may choose a part:
//   npm run mutants -- --file src/projection/reads.rs
//   npm run mutants -- --sharding round-robin --shard 0/20
// `npm run mutants -- --install` installs cargo-mutants first. Nothing else does: it is no part of the set-up.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { at, nativeEnv } from './lib/project.mjs'
import { capture, main, show } from './lib/run.mjs'

const ROOM = 'src/projection/**'
const LEAST_SCORE = 0.9
/** The tests of the room. Few cases of each property: a change that matters is noticed by some of them. */
const TESTS = ['--lib', '--test', 'laws', '--test', 'passes', '--test', 'state']
const env = { TRIMTAB_CASES: '40', CARGO_PROFILE_DEV_DEBUG: '0', ...nativeEnv() }

const folder = at('target', 'mutants')
const outcomes = at('target', 'mutants', 'mutants.out', 'outcomes.json')

async function ensureInstalled(install) {
  const isHere = async () => (await capture(['cargo', 'mutants', '--version'], { env })).code === 0
  if (await isHere()) return
  if (install) await show(['cargo', 'install', 'cargo-mutants', '--locked'], { env })
  if (!(await isHere())) throw new Error('cargo-mutants is not installed: npm run mutants -- --install')
}

/** A test that never ends has noticed the change as well; what does not compile is no change. */
function report({ caught, timeout, missed, unviable, total_mutants }) {
  const noticed = caught + timeout
  const score = noticed / (noticed + missed)
  const percent = `${(score * 100).toFixed(1)} %`
  console.log(`\n${total_mutants} changes tried, ${unviable} do not compile`)
  console.log(`noticed ${noticed}, not noticed ${missed} (target/mutants/mutants.out/missed.txt)`)
  console.log(`mutation score ${percent}, at least ${LEAST_SCORE * 100} %`)
  if (!(score >= LEAST_SCORE)) process.exitCode = 1
}

await main(async () => {
  const args = process.argv.slice(2)
  await ensureInstalled(args.includes('--install'))
  const chosen = args.filter((arg) => arg !== '--install')
  const files = chosen.some((arg) => /^(?:-f|--file)/.test(arg)) ? [] : ['--file', ROOM]
  const limits = ['--jobs', '2', '--minimum-test-timeout', '60']
  rmSync(folder, { recursive: true, force: true })
  const command = ['cargo', 'mutants', '--output', folder, ...files, ...limits, ...chosen, '--', ...TESTS]
  await show(command, { env })
  if (!existsSync(outcomes)) throw new Error('cargo-mutants did not come to an end, see above')
  report(JSON.parse(readFileSync(outcomes, 'utf8')))
})
