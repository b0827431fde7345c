// Builds the encodings: one wasm file for each vocabulary, of the crate in encodings/.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { encodings } from './loaders.mjs'
import { at, wasmEnv, wasmTarget } from './project.mjs'
import { run, step } from './run.mjs'
import { unlessUnchanged } from './stamp.mjs'
import { optimise, pathRemaps } from './wasm.mjs'

/** A feature of the crate each. An encoding that shares its vocabulary with another one is in its file. */
export const vocabularies = [
  ...new Set(Object.values(encodings).map(({ vocabulary }) => vocabulary)),
  'custom',
]

const outputsOf = (name) =>
  [`${name}.js`, `${name}.d.ts`, `${name}_bg.wasm`, `${name}_bg.wasm.d.ts`].map((file) =>
    join('pkg', 'encodings', file),
  )

async function compile(name) {
  const env = wasmEnv()
  const config = `target.${wasmTarget}.rustflags=${JSON.stringify(pathRemaps())}`
  const target = ['--profile', 'encodings', '--target', wasmTarget, '--crate-type', 'cdylib']
  const features = ['--no-default-features', '--features', name]
  const command = ['cargo', 'rustc', '-p', 'trimtab-encodings', '--lib', ...target, ...features]
  await run([...command, '--config', config], { env })
}

/** Everything is made in `next` and copied over at the end: a failed build leaves the last good one. */
async function generate(name, next) {
  rmSync(next, { recursive: true, force: true })
  const input = at('target', wasmTarget, 'encodings', 'trimtab_encodings.wasm')
  const flags = ['--target', 'web', '--omit-default-module-path', '--experimental-reset-state-function']
  await run(['wasm-bindgen', ...flags, '--out-name', name, '--out-dir', next, input], { env: wasmEnv() })
}

async function build(name) {
  const next = at('target', 'encodings-glue', name)
  await step(`${name}: cargo, wasm32`, () => compile(name))
  await step(`${name}: wasm-bindgen`, () => generate(name, next))
  await step(`${name}: wasm-opt`, () => optimise(name, next))
  mkdirSync(at('pkg', 'encodings'), { recursive: true })
  for (const file of outputsOf(name)) copyFileSync(join(next, file.split(/[\\/]/).at(-1)), at(file))
}

export async function buildEncodings() {
  await run(['cargo', 'fetch'], { env: wasmEnv() })
  const inputs = [
    'encodings/src',
    'encodings/build.rs',
    'encodings/Cargo.toml',
    'Cargo.toml',
    'Cargo.lock',
    '.cargo',
  ]
  const tools = ['scripts/lib/encodings.mjs', 'scripts/lib/wasm.mjs', 'scripts/versions.env']
  for (const name of vocabularies) {
    const settings = { name: `encoding-${name}`, inputs: [...inputs, ...tools], outputs: outputsOf(name) }
    if (!(await unlessUnchanged(settings, () => build(name)))) console.log(`  ${name}: unchanged`)
  }
}
