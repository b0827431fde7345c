// Builds and runs scripts/bindgen: generates the JavaScript for a wasm file, and runs wasm tests in a browser.
import { rmSync } from 'node:fs'
import { at, nativeEnv } from './project.mjs'
import { run, step } from './run.mjs'
import { unlessUnchanged } from './stamp.mjs'

const tool = at('target', 'bindgen', 'debug', 'trimtab-bindgen')
export const testRunner = at('target', 'bindgen', 'debug', 'wasm-test-runner')

/** Inputs of scripts/bindgen that determine its output. */
export const bindgenInputs = [
  'scripts/bindgen/src',
  'scripts/bindgen/Cargo.toml',
  'scripts/bindgen/Cargo.lock',
]

async function build(name, output, flags) {
  const command = ['cargo', 'build', '--manifest-path', at('scripts', 'bindgen', 'Cargo.toml'), '--locked']
  // Debian's and rustup's compilers must not rebuild each other's crates.
  const env = { ...nativeEnv(), CARGO_TARGET_DIR: at('target', 'bindgen') }
  const work = () => step(`${name}: cargo`, async () => void (await run([...command, ...flags], { env })))
  await unlessUnchanged({ name, inputs: bindgenInputs, outputs: [output] }, work)
}

let built
/** Builds the tool that generates the JavaScript, if it is missing. */
export function buildBindgen() {
  built ??= build('wasm-bindgen', 'target/bindgen/debug/trimtab-bindgen', [])
  return built
}

/** Builds the runner of the wasm tests, if it is missing. */
export const buildTestRunner = () =>
  build('wasm test runner', 'target/bindgen/debug/wasm-test-runner', ['--features', 'test-runner'])

/** Generates NAME.js, NAME_bg.wasm and their declarations from a wasm file built by cargo; empties `folder` first. */
export async function bindgen(input, name, folder) {
  await buildBindgen()
  rmSync(folder, { recursive: true, force: true })
  await run([tool, input, name, folder])
}
