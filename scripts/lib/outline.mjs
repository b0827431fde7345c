// Builds the outlines: one wasm file per grammar, from the crate in outline/.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { grammars as titles } from './loaders.mjs'
import { at, wasmEnv, wasmTarget } from './project.mjs'
import { run } from './run.mjs'
import { buildWasm } from './wasm.mjs'

/** One feature of the crate each. `text` has no grammar: it reads Markdown, and any other file by indentation. */
export const grammars = Object.keys(titles)

/** Returns the first of these programs that is installed. */
function firstOf(name) {
  const versions = Array.from({ length: 27 }, (_, index) => `${name}-${40 - index}`)
  const found = [name, ...versions].find((each) => spawnSync(each, ['--version']).status === 0)
  if (!found) throw new Error(`no ${name} here, which compiles the grammars: run scripts/setup`)
  return found
}

/**
 * A file is outlined once, in an engine that first compiles quickly and then recompiles hot code slowly. Small
 * functions are cheapest for it: `-Os`, no assertions (each array access has one), and no inlining of larger functions
 * that have a single caller.
 */
const smallC = '-Os -DNDEBUG -U__clang__'
const smallWasm = ['--one-caller-inline-max-function-size=300']

/**
 * Compiler for the grammars, which are in C. In wasm the C library is the one included in tree-sitter, with the headers
 * of the crate tree-sitter-language. outline/shims has what some grammars need beyond that: declarations, and sources
 * that only an older tree-sitter had.
 */
async function grammarCompiler() {
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
  // Cargo does not track this file: with its digest in the flags, C is recompiled when it changes.
  const digest = createHash('sha256').update(readFileSync(shim)).digest('hex').slice(0, 8)
  const flags = `${smallC} -DSHIM_${digest}`
  const clang = env[`CC_${name}`] ?? firstOf('clang')
  const compiler = {
    [`CC_${name}`]: clang,
    [`AR_${name}`]: env[`AR_${name}`] ?? firstOf('llvm-ar'),
    [`CFLAGS_${name}`]: `${flags} '-I${headers}' -include '${shim}'`,
    // Flags are split as in a shell, since paths may contain blanks.
    CC_SHELL_ESCAPED_FLAGS: '1',
  }
  const version = (await run([clang, '--version'])).stdout.split('\n', 1)[0]
  return { env: { ...env, ...compiler }, config, identity: `${version} ${flags}` }
}

let compiler
const fileOf = (name) => ({
  name,
  folder: 'pkg/outline',
  title: `outline ${name}`,
  crate: 'trimtab-outline',
  feature: name,
  profile: 'encodings',
  sources: ['outline/src', 'outline/shims', 'outline/Cargo.toml'],
  wasmOpt: smallWasm,
  compiler: () => {
    compiler ??= grammarCompiler()
    return compiler
  },
})

/** Builds these grammars, or all. */
export async function buildOutlines(names = grammars) {
  const unknown = names.find((name) => !grammars.includes(name))
  if (unknown !== undefined) throw new Error(`unknown grammar ${unknown}; known: ${grammars.join(', ')}`)
  await buildWasm(names.map(fileOf))
}
