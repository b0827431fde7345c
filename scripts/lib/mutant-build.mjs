// Builds all mutants of cargo-mutants into one program: a copy of the crate in target/mutants, and its test programs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { byFunction, mutantAt, SWITCH, switched } from './mutant-switch.mjs'
import { at, nativeEnv } from './project.mjs'
import { capture, run } from './run.mjs'

const ROOM = 'src/projection/**'
const PARTS = ['src', 'tests', 'encodings', 'outline', '.cargo', 'Cargo.toml', 'Cargo.lock']
const LIBRARY = join('src', 'lib.rs')

export const folder = at('target', 'mutants')
export const copy = join(folder, 'crate')
export const env = {
  ...nativeEnv(),
  RUST_BACKTRACE: '0',
  CARGO_PROFILE_DEV_DEBUG: '0',
  // Each test runs hundreds of times.
  CARGO_PROFILE_DEV_OPT_LEVEL: '1',
  CARGO_INCREMENTAL: '0',
  CARGO_TARGET_DIR: join(folder, 'build'),
  // A mutant may overflow or divide by zero visibly for the compiler: the tests must notice it, not a lint.
  RUSTFLAGS: '--cap-lints=warn',
}

/** Code that writes types to TypeScript runs in tests only, and its output is compared with the committed files. */
const TYPES = 'impl ts_rs::TS'

/** Returns the mutants of cargo-mutants in functions, numbered from 1. Constants cannot be switched at run time. */
export async function listed(args) {
  const files = args.some((arg) => /^(?:-f|--file)/.test(arg)) ? [] : ['--file', ROOM]
  const plain = join(folder, 'plain')
  rmSync(plain, { recursive: true, force: true })
  for (const [path, text] of sources()) writeChanged(join(plain, path), text)
  declarePasses(plain)
  const list = ['cargo', 'mutants', '--list', '--json', '--exclude-re', TYPES, ...files, ...args]
  const { stdout } = await run(list, { env, cwd: plain })
  const inFunctions = JSON.parse(stdout).filter((mutant) => mutant.function)
  return inFunctions.map((mutant, i) => ({ ...mutant, number: i + 1 }))
}

/**
 * A macro declares the files of the passes, which cargo-mutants does not see: the copy that it lists declares them
 * plainly.
 */
function declarePasses(plain) {
  const passes = join('src', 'projection', 'passes')
  const names = readdirSync(at(passes)).filter((name) => name !== 'mod.rs')
  const lines = names.map((name) => `mod ${name.replace('.rs', '')};\n`)
  writeFileSync(join(plain, passes, 'mod.rs'), lines.join(''))
}

/** Yields each file of the crate with its bytes. */
function* sources() {
  for (const part of [...PARTS, join('js', 'src', 'generated')]) {
    if (!part.includes('.') || part === '.cargo') yield* filesIn(part)
    else yield [part, readFileSync(at(part))]
  }
}

/** vitest would run them in the copy too. */
const isVitest = (name) => name.endsWith('.test.ts')

function* filesIn(path) {
  for (const entry of readdirSync(at(path), { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesIn(inner)
    else if (entry.isFile() && !isVitest(entry.name)) yield [inner, readFileSync(at(inner))]
  }
}

/** Writes a file only if it differs: cargo rebuilds what is newer. */
function writeChanged(path, bytes) {
  if (existsSync(path) && readFileSync(path).equals(bytes)) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

/** Writes the crate with these mutants in it. Returns the texts of the files that contain some. */
function writeCopy(mutants) {
  const texts = new Map()
  const paths = new Set()
  for (const [path, bytes] of sources()) {
    const own = mutants.filter((mutant) => mutant.file === path)
    if (own.length > 0) texts.set(path, switched(bytes.toString(), own))
    const text = path === LIBRARY ? bytes.toString() + SWITCH : texts.get(path)
    writeChanged(join(copy, path), text === undefined ? bytes : Buffer.from(text))
    paths.add(join(copy, path))
  }
  for (const part of ['src', 'tests']) removeOthers(join(copy, part), paths)
  return texts
}

function removeOthers(path, paths) {
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && !paths.has(file)) rmSync(file)
  }
}

/** Returns the numbers of mutants that do not compile. */
async function uncompilable(texts) {
  const check = ['cargo', 'check', '--lib', '--message-format', 'json']
  const { code, stdout, output } = await capture(check, { env, cwd: copy })
  const errors = messages(stdout).filter(({ message }) => message?.level === 'error')
  const numbers = new Set()
  for (const { message } of errors) {
    const span = message.spans.find((one) => one.is_primary)
    if (!span) continue
    const number = texts.has(span.file_name) ? mutantAt(texts.get(span.file_name), span.line_start) : 0
    if (number === 0) throw new Error(`${span.file_name}:${span.line_start} does not compile`)
    numbers.add(number)
  }
  if (code !== 0 && numbers.size === 0) throw new Error(output)
  return numbers
}

const messages = (stdout) =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

/**
 * Builds the mutants that compile, except those known as `hopeless`. One error can hide others, so it repeats until
 * there is none. Returns the mutants, each with the number of its function, and the test programs by name.
 */
export async function build(mutants, hopeless, names) {
  let viable = mutants.filter((mutant) => !hopeless(mutant))
  for (;;) {
    const wrong = await uncompilable(writeCopy(viable))
    if (wrong.size === 0) break
    viable = viable.filter((mutant) => !wrong.has(mutant.number))
  }
  const wanted = names.flatMap((name) => (name === 'trimtab' ? ['--lib'] : ['--test', name]))
  const command = ['cargo', 'test', '--no-run', '--message-format', 'json', ...wanted]
  const { stdout } = await run(command, { env, cwd: copy, minutes: 60 })
  const built = messages(stdout).filter((one) => one.executable)
  const program = (name) => built.find((one) => one.target.name === name).executable
  return { viable: withFunctions(viable), programs: new Map(names.map((name) => [name, program(name)])) }
}

function withFunctions(mutants) {
  const files = [...new Set(mutants.map((mutant) => mutant.file))]
  const functions = files.flatMap((file) => byFunction(mutants.filter((mutant) => mutant.file === file)))
  return functions.flatMap((one) =>
    one.mutants.map((mutant) => ({ ...mutant, called: one.mutants[0].number })),
  )
}
