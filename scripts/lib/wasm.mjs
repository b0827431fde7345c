// What the builds of all wasm files have in common.
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cargoHome, npmBin, root } from './project.mjs'
import { run } from './run.mjs'

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
 * Panic messages carry source paths. Those of the builder's home must not ship, and the bytes must
 * not depend on where cargo keeps its sources. Needs the crates fetched: their folder is listed here.
 */
export function pathRemaps() {
  const sources = join(cargoHome, 'registry', 'src')
  const folders = existsSync(sources) ? readdirSync(sources).map((name) => join(sources, name)) : []
  return [...folders, root].map(
    (folder) => `--remap-path-prefix=${folder}=/${folder === root ? 'trimtab' : 'crates'}`,
  )
}

/** Makes a wasm file smaller and faster, in place. `flags` are wasm-opt's own. */
export async function optimise(name, next, flags = []) {
  const file = join(next, `${name}_bg.wasm`)
  const before = statSync(file).size
  const strip = ['--strip-producers', '--strip-debug']
  await run([npmBin('wasm-opt'), '-O3', ...flags, ...wasmFeatures, ...strip, file, '-o', `${file}.opt`])
  copyFileSync(`${file}.opt`, file)
  return `${before} to ${statSync(file).size} bytes`
}
