// Builds the outlines: one wasm file for each grammar, of the crate in outline/.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { grammars as titles } from './loaders.mjs'
import { at, wasmEnv, wasmTarget } from './project.mjs'
import { run, step } from './run.mjs'
import { unlessUnchanged } from './stamp.mjs'
import { optimise, pathRemaps } from './wasm.mjs'

/** A feature of the crate each. `text` has no grammar: Markdown, and indentation for everything else. */
export const grammars = Object.keys(titles)

const outputsOf = (name) =>
  [`${name}.js`, `${name}.d.ts`, `${name}_bg.wasm`, `${name}_bg.wasm.d.ts`].map((file) =>
    join('pkg', 'outline', file),
  )

/** The first of these programs that is here. */
function firstOf(name) {
  const versions = Array.from({ length: 27 }, (_, index) => `${name}-${40 - index}`)
  const found = [name, ...versions].find((each) => spawnSync(each, ['--version']).status === 0)
  if (!found) throw new Error(`no ${name} here, which compiles the grammars: run scripts/setup`)
  return found
}

/**
 * A file is outlined once, in an engine that compiles first quickly and then again, slowly, what runs often. Small
 * functions cost it least: `-Os`, no assertions (each access of an array has one), and no function of some size inlined
 * because it is called in one place only.
 */
const smallC = '-Os -DNDEBUG -U__clang__'
const smallWasm = ['--one-caller-inline-max-function-size=300']

/**
 * Grammars are C. In wasm its library is what tree-sitter brings along, with the headers of the crate
 * tree-sitter-language. outline/shims has what some grammars want beyond that: declarations, and sources that only an
 * older tree-sitter had.
 */
async function grammarEnv() {
  const env = wasmEnv()
  const { stdout } = await run(['cargo', 'metadata', '--format-version', '1', '--locked'], { env })
  const language = JSON.parse(stdout).packages.find(({ name }) => name === 'tree-sitter-language')
  const headers = join(dirname(language.manifest_path), 'wasm', 'include')
  const links = `target.${wasmTarget}.tree-sitter-language`
  const config = [
    [`${links}.wasm-headers`, headers],
    [`${links}.wasm-src`, at('outline', 'shims')],
  ].flatMap(([key, value]) => ['--config', `${key}=${JSON.stringify(value)}`])
  const name = wasmTarget.replaceAll('-', '_')
  const shim = at('outline', 'shims', 'grammars.h')
  // Cargo does not know of the file: with its digest among the flags C is compiled again when it changes.
  const digest = createHash('sha256').update(readFileSync(shim)).digest('hex').slice(0, 8)
  const flags = `${smallC} -DSHIM_${digest}`
  const compiler = {
    [`CC_${name}`]: env[`CC_${name}`] ?? firstOf('clang'),
    [`AR_${name}`]: env[`AR_${name}`] ?? firstOf('llvm-ar'),
    [`CFLAGS_${name}`]: `${flags} '-I${headers}' -include '${shim}'`,
    // The flags are split as a shell would: paths may hold blanks.
    CC_SHELL_ESCAPED_FLAGS: '1',
  }
  return { env: { ...env, ...compiler }, config }
}

async function compile(name, { env, config }) {
  const remaps = ['--config', `target.${wasmTarget}.rustflags=${JSON.stringify(pathRemaps())}`]
  const target = ['--profile', 'encodings', '--target', wasmTarget, '--crate-type', 'cdylib']
  const features = ['--no-default-features', '--features', name]
  const command = ['cargo', 'rustc', '-p', 'trimtab-outline', '--lib', ...target, ...features]
  await run([...command, ...remaps, ...config], { env })
}

/** Everything is made in `next` and copied over at the end: a failed build leaves the last good one. */
async function generate(name, next) {
  rmSync(next, { recursive: true, force: true })
  const input = at('target', wasmTarget, 'encodings', 'trimtab_outline.wasm')
  const flags = ['--target', 'web', '--omit-default-module-path', '--experimental-reset-state-function']
  await run(['wasm-bindgen', ...flags, '--out-name', name, '--out-dir', next, input], { env: wasmEnv() })
}

async function build(name, settings) {
  const next = at('target', 'outline-glue', name)
  await step(`outline ${name}: cargo, wasm32`, () => compile(name, settings))
  await step(`outline ${name}: wasm-bindgen`, () => generate(name, next))
  await step(`outline ${name}: wasm-opt`, () => optimise(name, next, smallWasm))
  mkdirSync(at('pkg', 'outline'), { recursive: true })
  for (const file of outputsOf(name)) copyFileSync(join(next, file.split(/[\\/]/).at(-1)), at(file))
}

/** Builds these grammars, or all. */
export async function buildOutlines(names = grammars) {
  const unknown = names.find((name) => !grammars.includes(name))
  if (unknown !== undefined) throw new Error(`unknown grammar ${unknown}; known: ${grammars.join(', ')}`)
  await run(['cargo', 'fetch'], { env: wasmEnv() })
  let settings
  const inputs = ['outline/src', 'outline/shims', 'outline/Cargo.toml', 'Cargo.toml', 'Cargo.lock', '.cargo']
  const tools = ['scripts/lib/outline.mjs', 'scripts/lib/wasm.mjs', 'scripts/versions.env']
  for (const name of names) {
    const work = async () => {
      settings ??= await grammarEnv()
      await build(name, settings)
    }
    const stamp = { name: `outline-${name}`, inputs: [...inputs, ...tools], outputs: outputsOf(name) }
    if (!(await unlessUnchanged(stamp, work))) console.log(`  outline ${name}: unchanged`)
  }
}
