// The condition `workerd`: wasm files are imported as compiled modules, and nothing is compiled at run time,
// which workerd refuses.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { at } from '../../scripts/lib/project.mjs'
import { USES } from './entry-uses.js'

interface Build {
  onResolve(
    on: { filter: RegExp },
    resolve: (asked: { path: string; resolveDir: string }) => object | undefined,
  ): void
}

/** The esbuild that comes with Vite; wrangler also bundles with esbuild. */
function loadEsbuild(): { build(options: object): Promise<unknown> } {
  const fromVite = createRequire(createRequire(import.meta.url).resolve('vite'))
  return fromVite('esbuild') as ReturnType<typeof loadEsbuild>
}

const packageFile = createRequire(at('package.json')).resolve

/** Keeps imports of wasm files external, like wrangler's rule for `*.wasm`. */
const wasmImports = {
  name: 'wasm imports',
  setup: ({ onResolve }: Build) =>
    onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
      const file = path.startsWith('.') ? join(resolveDir, path) : packageFile(path)
      return { path: `file:${file}`, external: true }
    }),
}

const HOST = at('tests', 'fixtures', 'hosts', 'workerd.mjs')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'workerd-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Evaluates an expression in a host with workerd's rules. */
async function run(
  imports: string,
  expression: string,
  conditions = ['workerd', 'worker'],
): Promise<unknown> {
  const outfile = join(folder, 'bundle.mjs')
  const contents = `${imports}\nexport const outcome = async () => ${expression}\n`
  await loadEsbuild().build({
    stdin: { contents, resolveDir: at() },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions,
    plugins: [wasmImports],
    outfile,
    logLevel: 'silent',
  })
  return JSON.parse(execFileSync(process.execPath, [HOST, outfile], { encoding: 'utf8' }))
}

const specifier = (entry: string) => JSON.stringify(entry.replace('.', 'trimtab'))

test.each(USES)(
  '%s works on workerd without changes to the code: %s',
  async (entry, imported, use, outcome) => {
    expect(await run(`import { ${imported} } from ${specifier(entry)}`, use)).toEqual(outcome)
  },
)

test('the error names the export condition if the host forbids to compile WebAssembly', async () => {
  const [, imported, use] = USES[0] as (typeof USES)[number]
  const caught = `(async () => ${use})().catch(({ code, message }) => [code, message])`
  const [code, message] = (await run(`import { ${imported} } from 'trimtab'`, caught, [])) as string[]
  expect(code).toBe('initialisation_failed')
  expect(message).toContain('Wasm code generation disallowed')
  expect(message).toContain("condition 'workerd'")
})

describe.each([
  ['trimtab/encodings/o200k_base', 'loadEncoding', "encoding.count('hello')", 1],
  ['trimtab/outline/json', 'loadGrammar', "encoding.outline('{}').sections.length", 0],
])('%s', (module, name, use, outcome) => {
  const imports = `import { ${name} } from '${module}'\nimport wasm from '${module}.wasm'`

  test('accepts an imported WebAssembly module', async () => {
    const expression = `(async () => { const encoding = await ${name}({ source: wasm }); return ${use} })()`
    expect(await run(imports, expression)).toEqual(outcome)
  })

  test('explains what to pass if there is no module', async () => {
    const caught = `void wasm || ${name}().catch(({ code, message }) => [code, message])`
    const [code, message] = (await run(imports, caught)) as string[]
    expect(code).toBe('initialisation_failed')
    expect(message).toMatch(/pass \{source|pass a WebAssembly.Module/)
  })
})

test('every entry with wasm files has the workerd condition, directly after its types', () => {
  const entries = Object.entries(packageJson.exports as Record<string, string | Record<string, string>>)
  for (const [name, target] of entries) {
    if (typeof target === 'string' || !target.default?.startsWith('./js/dist/entries/')) continue
    const brings = readFileSync(at(target.default), 'utf8').includes('/engine/with-')
    expect(Object.keys(target), name).toEqual(['types', ...(brings ? ['workerd'] : []), 'default'])
  }
})
