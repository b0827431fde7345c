// Paths of the project, and the Rust toolchain for each target.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
export const wasmTarget = 'wasm32-unknown-unknown'
export const at = (...parts) => join(root, ...parts)
export const npmBin = (name) => at('node_modules', '.bin', name)
/** The compiler. Its version 7 has no API yet: what reads types (scripts/lib/reference, knip) uses version 6. */
export const tsc = at('node_modules', 'typescript-7', 'bin', 'tsc')
export const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo')

const linkedToolchain = { RUSTUP_TOOLCHAIN: 'debian' }

function rustcRuns(env, args = ['--version']) {
  return (
    spawnSync('rustc', args, { env, cwd: root, input: '', stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
  )
}

/** Checks an empty crate: fails without a standard library for wasm32, or with that of another rustc. */
function buildsWasm(env) {
  const outDir = at('target', 'probe')
  mkdirSync(outDir, { recursive: true })
  const args = [
    '--crate-type',
    'lib',
    '--crate-name',
    'probe',
    '--emit',
    'metadata',
    '--out-dir',
    outDir,
    '-',
  ]
  return rustcRuns(env, ['--target', wasmTarget, ...args])
}

const once = (make) => {
  let made
  return () => {
    made ??= make()
    return made
  }
}

/** Environment for native cargo commands; finds a cargo that rustup installed outside PATH. */
export const nativeEnv = once(() => {
  const folders = [join(cargoHome, 'bin'), process.env.PATH ?? '']
  const env = { ...process.env, PATH: folders.join(delimiter) }
  return rustcRuns(env) ? env : { ...env, ...linkedToolchain }
})

/**
 * Environment for cargo commands that build wasm: the user's own toolchain if it can, else `debian`, which
 * scripts/setup links to /usr if rustup's server cannot be reached.
 */
export const wasmEnv = once(() => {
  const env = { ...nativeEnv() }
  // These variables would override the flags of .cargo/config.toml: the build would lose SIMD.
  delete env.RUSTFLAGS
  delete env.CARGO_ENCODED_RUSTFLAGS
  const found = [env, { ...env, ...linkedToolchain }].find(buildsWasm)
  if (!found) throw new Error(`no Rust toolchain here builds ${wasmTarget}: run scripts/setup`)
  return found
})
