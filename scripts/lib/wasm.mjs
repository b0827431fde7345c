// Common part of all wasm builds: cargo, the generated JavaScript, wasm-opt, and the cache.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bindgen, bindgenInputs, buildBindgen } from './bindgen.mjs'
import { keep, restore } from './cache.mjs'
import { at, cargoHome, npmBin, root, wasmEnv, wasmTarget } from './project.mjs'
import { run, step } from './run.mjs'
import { digest } from './stamp.mjs'

const wasmFeatures = [
  '--enable-bulk-memory',
  '--enable-bulk-memory-opt',
  '--enable-simd',
  '--enable-nontrapping-float-to-int',
  '--enable-sign-ext',
  '--enable-mutable-globals',
  '--enable-reference-types',
  '--enable-multivalue',
]

/**
 * A wasm file of the package.
 *
 * @typedef {object} WasmFile
 * @property {string} name its name in the folder
 * @property {string} folder relative to the project's root
 * @property {string} title for messages, and in the cache
 * @property {string} crate
 * @property {string} feature of the crate: selects the contents
 * @property {string} profile of Cargo.toml
 * @property {string[]} sources relative to the project's root
 * @property {() => Promise<Compiler>} [compiler] compiler for other languages
 * @property {string[]} [rustc] additional flags of rustc
 * @property {string[]} [wasmOpt] additional flags of wasm-opt
 * @property {() => void} [afterwards]
 *
 * @typedef {{ env: NodeJS.ProcessEnv, config: string[], identity: string }} Compiler
 */

const filesOf = (name) => [`${name}.js`, `${name}.d.ts`, `${name}_bg.wasm`, `${name}_bg.wasm.d.ts`]
/** Outputs of a wasm file, relative to the project's root. */
const outputsOf = ({ name, folder }) => filesOf(name).map((file) => `${folder}/${file}`)

/**
 * Panic messages contain source paths. Those in the builder's home must not be shipped, and the bytes must not depend
 * on where cargo keeps its sources. The crates must be fetched: their folder is listed here.
 */
function pathRemaps() {
  const sources = join(cargoHome, 'registry', 'src')
  const folders = existsSync(sources) ? readdirSync(sources).map((name) => join(sources, name)) : []
  return [...folders, root].map(
    (folder) => `--remap-path-prefix=${folder}=/${folder === root ? 'trimtab' : 'crates'}`,
  )
}

/** Builds the crate as a cdylib only: with an rlib as well, cargo disables LTO. */
async function compile({ crate, feature, profile, rustc = [] }, compiler) {
  const env = compiler?.env ?? wasmEnv()
  const config = ['--config', `target.${wasmTarget}.rustflags=${JSON.stringify(pathRemaps())}`]
  const target = ['--profile', profile, '--target', wasmTarget, '--crate-type', 'cdylib']
  const features = ['--no-default-features', '--features', feature]
  const command = ['cargo', 'rustc', '-p', crate, '--lib', ...target, ...features, ...config]
  await run([...command, ...(compiler?.config ?? []), ...(rustc.length > 0 ? ['--', ...rustc] : [])], { env })
  return env.RUSTUP_TOOLCHAIN ? `toolchain ${env.RUSTUP_TOOLCHAIN}` : undefined
}

/** Optimises a wasm file for size and speed, in place. */
async function optimise({ name, wasmOpt = [] }, folder) {
  const file = join(folder, `${name}_bg.wasm`)
  const before = statSync(file).size
  const strip = ['--strip-producers', '--strip-debug']
  await run([npmBin('wasm-opt'), '-O3', ...wasmOpt, ...wasmFeatures, ...strip, file, '-o', `${file}.opt`])
  copyFileSync(`${file}.opt`, file)
  return `${before} to ${statSync(file).size} bytes`
}

/** Writes everything to a separate folder and copies it at the end: a failed build keeps the last good one. */
async function finish(file, folder, entry) {
  await step(`${file.title}: wasm-opt`, () => optimise(file, folder))
  mkdirSync(at(file.folder), { recursive: true })
  for (const each of filesOf(file.name)) copyFileSync(join(folder, each), at(file.folder, each))
  file.afterwards?.()
  keep(entry)
}

const outputOf = async (command) => (await run(command, { env: wasmEnv() })).stdout

/** Crates that a crate depends on, with their versions and features. */
async function cratesOf(crate) {
  const what = ['--target', wasmTarget, '--edges', 'normal,build', '--locked']
  const form = ['--prefix', 'none', '--format', '{p} {f}']
  const lines = (await outputOf(['cargo', 'tree', '-p', crate, ...what, ...form])).split('\n')
  return [...new Set(lines.map((line) => line.replace(` (${root}`, ' (').replace(/ \(\*\)$/, '')))].sort()
}

/** Shipped profiles of Cargo.toml, and the settings of the engine's crate. Test-only settings are left out. */
function settings() {
  const sections = readFileSync(at('Cargo.toml'), 'utf8').split(/^(?=\[)/m)
  return sections.filter((section) => /^\[(lib|features|profile\.(release|encodings))\b/.test(section))
}

/** Build inputs common to all files of these crates, besides their own sources. */
async function commonOf(files) {
  await run(['cargo', 'fetch'], { env: wasmEnv() })
  const crates = new Map()
  for (const crate of new Set(files.map((file) => file.crate))) crates.set(crate, await cratesOf(crate))
  const binaryen = JSON.parse(readFileSync(at('node_modules', 'binaryen', 'package.json'), 'utf8')).version
  return { crates, tools: [await outputOf(['rustc', '-vV']), binaryen, ...settings()] }
}

function keyOf(file, { crates, tools }, compiler) {
  const { crate, feature, profile, rustc, wasmOpt, sources } = file
  const own = { feature, profile, rustc, wasmOpt, compiler: compiler?.identity }
  const extra = JSON.stringify([own, crates.get(crate), tools])
  return digest([...sources, ...bindgenInputs, '.cargo/config.toml', 'scripts/lib/wasm.mjs'], { extra })
}

/**
 * Builds wasm files that are neither present nor in the cache. Cargo builds one at a time, mostly on one core; wasm-opt
 * processes the previous file on another.
 *
 * @param {WasmFile[]} files
 */
export async function buildWasm(files) {
  const common = await commonOf(files)
  let finished = Promise.resolve()
  for (const file of files) {
    const compiler = await file.compiler?.()
    const entry = { name: file.title, key: keyOf(file, common, compiler), outputs: outputsOf(file) }
    const found = restore(entry)
    if (found) {
      console.log(`  ${file.title}: ${found === 'unchanged' ? 'unchanged' : 'from the cache'}`)
      continue
    }
    const tool = buildBindgen()
    await Promise.all([tool, step(`${file.title}: cargo, wasm32`, () => compile(file, compiler))])
    const built = at('target', wasmTarget, file.profile, `${file.crate.replaceAll('-', '_')}.wasm`)
    const folder = at('target', 'bindgen', 'made', file.title)
    await bindgen(built, file.name, folder)
    await finished
    finished = finish(file, folder, entry)
    // Awaited above or below; until then, its failure must not end the program.
    finished.catch(() => {})
  }
  await finished
}
