#!/usr/bin/env node
// `npm run mutants`: the mutation score of src/projection. cargo-mutants says in which places the code can be changed, and
// the Rust tests should notice each change. All changes are built into one program (scripts/lib/mutant-switch.mjs), in a
// copy of the crate. What follows `--` goes to cargo-mutants and may choose a part:
//   npm run mutants -- --file src/projection/reads.rs
//   npm run mutants -- --sharding round-robin --shard 0/20
// `npm run mutants -- --install` installs cargo-mutants first. Nothing else does: it is no part of the set-up.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { mutantAt, SWITCH, switched } from './lib/mutant-switch.mjs'
import { at, nativeEnv } from './lib/project.mjs'
import { capture, duration, main, run, show, step } from './lib/run.mjs'

const ROOM = 'src/projection/**'
const LEAST_SCORE = 0.9
/** The tests in the sources, and those of the room; of the properties few cases. The first to notice a change is the last that is
 * asked: the quick ones come first. */
const TESTS = ['trimtab', 'passes', 'state', 'binding', 'laws']
/** A change may make a test program run or grow without end: it gets ten times its usual time, at least a quarter of a
 * minute, and so many KiB. */
const PATIENCE = 10
const LEAST_MINUTES = 0.25
const MEMORY = 4_000_000

const folder = at('target', 'mutants')
const copy = join(folder, 'crate')
const env = {
  ...nativeEnv(),
  TRIMTAB_CASES: '40',
  RUST_BACKTRACE: '0',
  CARGO_PROFILE_DEV_DEBUG: '0',
  CARGO_INCREMENTAL: '0',
  CARGO_TARGET_DIR: join(folder, 'build'),
  // A change may overflow or divide by zero where the compiler sees it: the tests are to notice, not a lint.
  RUSTFLAGS: '--cap-lints=warn',
}

async function ensureInstalled(install) {
  const isHere = async () => (await capture(['cargo', 'mutants', '--version'], { env })).code === 0
  if (await isHere()) return
  if (install) await show(['cargo', 'install', 'cargo-mutants', '--locked'], { env })
  if (!(await isHere())) throw new Error('cargo-mutants is not installed: npm run mutants -- --install')
}

/** The changes that cargo-mutants would make, numbered from 1. */
async function listed(args) {
  const files = args.some((arg) => /^(?:-f|--file)/.test(arg)) ? [] : ['--file', ROOM]
  copyCrate()
  declarePasses()
  const list = ['cargo', 'mutants', '--list', '--json', ...files, ...args]
  const { stdout } = await run(list, { env, cwd: copy })
  return JSON.parse(stdout).map((mutant, i) => ({ ...mutant, number: i + 1 }))
}

/** A macro declares the files of the passes, which cargo-mutants does not see: in the copy that it lists they stand plainly. */
function declarePasses() {
  const folder = join('src', 'projection', 'passes')
  const names = readdirSync(at(folder)).filter((name) => name !== 'mod.rs')
  const lines = names.map((name) => `mod ${name.replace('.rs', '')};\n`)
  writeFileSync(join(copy, folder, 'mod.rs'), lines.join(''))
}

const isSource = (path) => basename(path) !== 'node_modules'

function copyCrate() {
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  for (const part of [
    'src',
    'tests',
    'encodings',
    'outline',
    '.cargo',
    'Cargo.toml',
    'Cargo.lock',
    'js/src/generated',
  ])
    cpSync(at(part), join(copy, part), { recursive: true, preserveTimestamps: true, filter: isSource })
  const library = join(copy, 'src', 'lib.rs')
  writeFileSync(library, readFileSync(library, 'utf8') + SWITCH)
}

/** Writes these sources with the changes in them, and says which do not compile. */
async function uncompilable(mutants, files) {
  const texts = new Map()
  for (const file of files) {
    const own = mutants.filter((mutant) => mutant.file === file)
    texts.set(file, switched(readFileSync(at(file), 'utf8'), own))
    writeFileSync(join(copy, file), texts.get(file))
  }
  const check = ['cargo', 'check', '--lib', '--message-format', 'json']
  const { code, stdout, output } = await capture(check, { env, cwd: copy })
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  const errors = lines.map((line) => JSON.parse(line).message).filter((message) => message?.level === 'error')
  const numbers = new Set()
  for (const { spans } of errors) {
    const span = spans.find((one) => one.is_primary)
    const number =
      span && texts.has(span.file_name) ? mutantAt(texts.get(span.file_name), span.line_start) : 0
    if (span && number === 0) throw new Error(`${span.file_name}:${span.line_start} does not compile`)
    if (number > 0) numbers.add(number)
  }
  if (code !== 0 && numbers.size === 0) throw new Error(output)
  return numbers
}

/** Builds the changes that compile. An error can hide others: it is tried until there is none. */
async function build(mutants) {
  let viable = mutants
  // Also those of which no change is left: they must become again what they were.
  const files = new Set(mutants.map((mutant) => mutant.file))
  copyCrate()
  for (;;) {
    const wrong = await uncompilable(viable, files)
    if (wrong.size === 0) break
    viable = viable.filter((mutant) => !wrong.has(mutant.number))
  }
  const names = TESTS.flatMap((name) => (name === 'trimtab' ? ['--lib'] : ['--test', name]))
  const command = ['cargo', 'test', '--no-run', '--message-format', 'json', ...names]
  const { stdout } = await run(command, { env, cwd: copy, minutes: 60 })
  const built = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const programs = TESTS.map(
    (name) => built.find((one) => one.executable && one.target.name === name).executable,
  )
  return { viable, programs }
}

/** Whether a test program succeeds with the change of this number. */
async function succeeds(program, number, minutes) {
  const limited = `ulimit -v ${MEMORY} 2>/dev/null; exec "$0" --quiet`
  const options = { env: { ...env, TRIMTAB_MUTANT: String(number) }, cwd: copy, minutes }
  return (await capture(['sh', '-c', limited, program], options)).code === 0
}

/** The programs with the time that each gets. */
async function timed(programs) {
  const limits = []
  for (const program of programs) {
    const start = performance.now()
    if (!(await succeeds(program, 0, 60))) throw new Error(`${program} fails without any change`)
    const minutes = (performance.now() - start) / 60_000
    limits.push({ program, minutes: Math.max(LEAST_MINUTES, PATIENCE * minutes) })
  }
  return limits
}

/** Whether the tests notice the change with this number. */
async function isNoticed(programs, number) {
  for (const { program, minutes } of programs) if (!(await succeeds(program, number, minutes))) return true
  return false
}

async function missedBy(programs, mutants) {
  const missed = []
  const waiting = mutants.entries()
  const start = performance.now()
  const work = async () => {
    for (const [i, mutant] of waiting) {
      if (!(await isNoticed(programs, mutant.number))) {
        missed.push(mutant.name)
        console.log(`not noticed: ${mutant.name}`)
      }
      if (i % 100 === 99) console.log(`${i + 1} tried in ${duration(performance.now() - start)}`)
    }
  }
  await Promise.all([work(), work()])
  return missed.sort()
}

await main(async () => {
  const args = process.argv.slice(2)
  await ensureInstalled(args.includes('--install'))
  const mutants = await listed(args.filter((arg) => arg !== '--install'))
  let made
  await step(`building ${mutants.length} changes`, async () => {
    made = await build(mutants)
  })
  const missed = await missedBy(await timed(made.programs), made.viable)
  writeFileSync(join(folder, 'missed.txt'), missed.map((name) => `${name}\n`).join(''))
  const [tried, unviable] = [made.viable.length, mutants.length - made.viable.length]
  const score = (tried - missed.length) / tried
  console.log(`\n${mutants.length} changes, of which ${unviable} do not compile`)
  console.log(`noticed ${tried - missed.length}, not noticed ${missed.length} (target/mutants/missed.txt)`)
  console.log(`mutation score ${(score * 100).toFixed(1)} %, at least ${LEAST_SCORE * 100} %`)
  if (!(score >= LEAST_SCORE)) process.exitCode = 1
})
