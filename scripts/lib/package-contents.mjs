// The npm tarball, and its check: files it must contain, and files it must not.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { vocabularies } from './encodings.mjs'
import { grammars } from './outline.mjs'
import { at } from './project.mjs'
import { capture } from './run.mjs'

const required = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs/reference/api/README.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
  'encodings/LICENCES.md',
  'outline/LICENCES.md',
  'encodings/licences/DEEPSEEK-MODEL.txt',
  'encodings/licences/META-LLAMA-3.txt',
  'encodings/licences/NOTICE.txt',
  'encodings/licences/OPENAI-MIT.txt',
  'examples/agent.mjs',
  'examples/session.jsonl',
  'examples/terminal.mjs',
  'js/dist/cli/main.js',
  'js/dist/index.d.ts',
  'js/dist/entries/index.js',
  'js/dist/entries/trimtab.js',
  'js/dist/index.js',
  'js/dist/slim.js',
  'js/src/generated/policy.schema.json',
  'js/dist/transcripts/index.js',
  'js/dist/index/index.js',
  'package.json',
  'pkg/core.d.ts',
  'pkg/core.js',
  'pkg/core_bg.wasm',
  'pkg/files.d.ts',
  'pkg/files.js',
  'pkg/files_bg.wasm',
  'pkg/index.d.ts',
  'pkg/index.js',
  'pkg/index_bg.wasm',
  'pkg/search.d.ts',
  'pkg/search.js',
  'pkg/search_bg.wasm',
  'pkg/validity.d.ts',
  'pkg/validity.js',
  'pkg/validity_bg.wasm',
  ...vocabularies.flatMap((name) => [`pkg/encodings/${name}.js`, `pkg/encodings/${name}_bg.wasm`]),
  ...grammars.flatMap((name) => [`pkg/outline/${name}.js`, `pkg/outline/${name}_bg.wasm`]),
]
const allowed = [
  /^docs\/.*\.md$/,
  /^js\/dist\/.*\.(js|d\.ts)$/,
  /^pkg\/(core|files|validity|index|search)(_bg)?\.(js|d\.ts|wasm|wasm\.d\.ts)$/,
  /^pkg\/outline\/\w+\.(js|d\.ts|wasm|wasm\.d\.ts)$/,
  /^pkg\/encodings\/\w+\.(js|d\.ts|wasm|wasm\.d\.ts)$/,
]
const isTest = (path) => /\.(test|spec)\./.test(path)

function problemsOf(paths) {
  const missing = required.filter((path) => !paths.includes(path)).map((path) => `missing: ${path}`)
  const isMeant = (path) =>
    !isTest(path) && (required.includes(path) || allowed.some((form) => form.test(path)))
  return [...missing, ...paths.filter((path) => !isMeant(path)).map((path) => `not meant to ship: ${path}`)]
}

/**
 * Packs the package as `npm publish` does.
 *
 * @returns the check of its contents, and the tarball's path for the checks after it: they need not pack it again
 */
export async function packAndCheck() {
  const folder = at('target', 'test', 'package')
  // An earlier tarball must not pass for one that could not be packed.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const pack = ['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { code, output, stdout } = await capture(pack)
  if (code !== 0) return { ok: false, output, tarball: '' }
  const [{ files, filename }] = JSON.parse(stdout)
  const problems = problemsOf(files.map(({ path }) => path))
  return { ok: problems.length === 0, output: problems.join('\n'), tarball: join(folder, filename) }
}
