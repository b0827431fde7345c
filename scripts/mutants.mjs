#!/usr/bin/env node
// `npm run mutants`: the mutation score of src/projection. cargo-mutants lists the possible changes of the code, and
// the Rust tests should notice each of them. All mutants are built into one program (scripts/lib/mutant-switch.mjs),
// and each is run with the tests that call its function (scripts/lib/mutant-tests.mjs). Arguments after `--` are passed
// to cargo-mutants and can select a part:
//   npm run mutants -- --file src/projection/passes/reads.rs
//   npm run mutants -- --sharding round-robin --shard 0/20
// `--jobs 1` tests one mutant at a time, `--fresh` discards the results of earlier runs
// (scripts/lib/mutant-results.mjs), and `--install` installs cargo-mutants first. The normal setup does not install it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build, env, folder, listed } from './lib/mutant-build.mjs'
import { Results } from './lib/mutant-results.mjs'
import { Asker, testsOf } from './lib/mutant-tests.mjs'
import { at } from './lib/project.mjs'
import { capture, duration, main, show, step } from './lib/run.mjs'

const LEAST_SCORE = 0.95
/** Tests in the sources, and those that plan views. */
const TESTS = ['trimtab', 'histories']
/** Equivalent mutants, each with the reason. They are counted separately. */
const ALIKE = at('scripts', 'lib', 'mutants-alike.json')

async function ensureInstalled(install) {
  const isHere = async () => (await capture(['cargo', 'mutants', '--version'], { env })).code === 0
  if (await isHere()) return
  if (install) await show(['cargo', 'install', 'cargo-mutants', '--locked'], { env })
  if (!(await isHere())) throw new Error('cargo-mutants is not installed: npm run mutants -- --install')
}

/** Tests the mutants without a known result. */
async function ask(mutants, asker, results, jobs) {
  const start = performance.now()
  const waiting = mutants.entries()
  const work = async () => {
    for (const [i, mutant] of waiting) {
      const by = await asker.noticedBy(mutant)
      results.set(mutant, { by })
      if (!by) console.log(`not noticed: ${mutant.name}`)
      if (i % 20 === 19) results.save()
      if (i % 100 === 99) console.log(`${i + 1} tried in ${duration(performance.now() - start)}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  results.save()
}

/** Whether a mutant is an entry of the list of equivalent ones: matched by the text of its line, which may move. */
function isListed(mutant, { file, change, line }) {
  if (mutant.file !== file || !mutant.name.endsWith(`: ${change}`)) return false
  return readFileSync(at(file), 'utf8').split('\n')[mutant.span.start.line - 1].trim() === line
}

function report(mutants, results) {
  const alike = JSON.parse(readFileSync(ALIKE, 'utf8'))
  const all = mutants.map((mutant) => ({ mutant, answer: results.of(mutant) }))
  const tried = all.filter(({ answer }) => answer.compiles !== false)
  const unnoticed = tried.filter(({ answer }) => !answer.by)
  const isAlike = ({ mutant }) => alike.some((one) => isListed(mutant, one))
  const wrong = tried.filter((one) => one.answer.by && isAlike(one))
  for (const { mutant } of wrong) console.log(`noticed, though it is said to change nothing: ${mutant.name}`)
  const missed = unnoticed.filter((one) => !isAlike(one)).map(({ mutant }) => mutant.name)
  writeFileSync(join(folder, 'missed.txt'), missed.map((name) => `${name}\n`).join(''))
  const counted = tried.length - (unnoticed.length - missed.length)
  const score = (counted - missed.length) / counted
  console.log(`\n${all.length} changes, of which ${all.length - tried.length} do not compile`)
  console.log(`and ${tried.length - counted} change nothing (scripts/lib/mutants-alike.json)`)
  console.log(`noticed ${counted - missed.length}, not noticed ${missed.length} (target/mutants/missed.txt)`)
  console.log(`mutation score ${(score * 100).toFixed(1)} %, at least ${LEAST_SCORE * 100} %`)
  if (!(score >= LEAST_SCORE) || wrong.length > 0) process.exitCode = 1
}

/** This script's options; all others are passed to cargo-mutants. */
function options(args) {
  const own = { install: { type: 'boolean' }, fresh: { type: 'boolean' }, jobs: { type: 'string' } }
  const { tokens, values } = parseArgs({ args, options: own, strict: false, tokens: true })
  const isOwn = (i) =>
    tokens.some(
      (one) => own[one.name] && (one.index === i || (one.value && !one.inlineValue && one.index + 1 === i)),
    )
  return { ...values, jobs: Number(values.jobs ?? 2), others: args.filter((_, i) => !isOwn(i)) }
}

await main(async () => {
  const { install, fresh, jobs, others } = options(process.argv.slice(2))
  await ensureInstalled(install)
  mkdirSync(folder, { recursive: true })
  const results = new Results(fresh)
  const mutants = await listed(others)
  const hopeless = (mutant) => results.of(mutant)?.compiles === false
  let made
  await step(`building ${mutants.length} changes`, async () => {
    made = await build(mutants, hopeless, TESTS)
  })
  const viable = new Set(made.viable.map((mutant) => mutant.number))
  for (const mutant of mutants) if (!viable.has(mutant.number)) results.set(mutant, { compiles: false })
  results.save()
  const unknown = made.viable.filter((mutant) => !results.of(mutant))
  let tests
  await step('running the tests without a change', async () => {
    tests = await testsOf(made.programs)
    return `${tests.length} tests`
  })
  console.log(`${unknown.length} of ${made.viable.length} are not known`)
  await ask(unknown, new Asker(tests), results, jobs)
  report(mutants, results)
})
