// The packed package in hosts that are npm packages: each gives the same results as this Node.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from '../package/consumer.js'
import { Miniflare } from './packages/node_modules/miniflare/dist/src/index.js'
import { packed } from './packed.js'

const program = (path: string) => fileURLToPath(new URL(`packages/node_modules/${path}`, import.meta.url))

const installed = packed()

test('Node gives the expected results', () => {
  expect(installed.expected).toEqual({
    project: expect.arrayContaining([expect.any(Number)]),
    context: expect.any(Number),
    validate: ['unanswered-call'],
    edit: 'b\n',
    encoding: [15339, 1917],
    outline: ['f'],
    index: ['a.js'],
    simulate: expect.any(Number),
  })
})

const HOSTS: [name: string, program: string, args: string[]][] = [
  ['Node 22', program('node-22/bin/node'), ['hosts/print.js']],
  ['Node 22, require', program('node-22/bin/node'), ['hosts/require.cjs']],
  ['Node 24', program('node-24/bin/node'), ['hosts/print.js']],
  ['Node 24, require', program('node-24/bin/node'), ['hosts/require.cjs']],
  ['Bun', program('@oven/bun-linux-x64/bin/bun'), ['hosts/print.js']],
  ['Deno', program('@deno/linux-x64-glibc/deno'), ['run', '--allow-read', '--no-prompt', 'hosts/print.js']],
]

test.each(HOSTS)('%s gives the same results as Node', async (_, command, args) => {
  expect(JSON.parse(await run(command, args, installed.consumer.folder))).toEqual(installed.expected)
})

interface Build {
  onResolve(
    on: { filter: RegExp },
    resolve: (asked: { path: string; resolveDir: string }) => object | undefined,
  ): void
}

/** The esbuild that comes with Vite; wrangler also bundles with esbuild. */
function loadEsbuild(): { build(options: object): Promise<{ outputFiles: { text: string }[] }> } {
  const fromVite = createRequire(createRequire(import.meta.url).resolve('vite'))
  return fromVite('esbuild') as ReturnType<typeof loadEsbuild>
}

test('workerd gives the same results as Node, bundled as by wrangler', async () => {
  const wasm = new Map<string, Buffer>()
  const resolved = createRequire(join(installed.consumer.folder, 'hosts', 'worker.js')).resolve
  const wasmModules = {
    name: 'wasm modules',
    setup: ({ onResolve }: Build) =>
      onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
        const file = path.startsWith('.') ? join(resolveDir, path) : resolved(path)
        const name = `./${basename(file)}`
        wasm.set(name, readFileSync(file))
        return { path: name, external: true }
      }),
  }
  const { outputFiles } = await loadEsbuild().build({
    absWorkingDir: installed.consumer.folder,
    entryPoints: ['hosts/worker.js'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    plugins: [wasmModules],
    write: false,
    logLevel: 'silent',
  })
  const worker = { type: 'ESModule' as const, path: 'worker.js', contents: outputFiles[0]?.text ?? '' }
  const modules = [...wasm].map(([path, contents]) => ({ type: 'CompiledWasm' as const, path, contents }))
  const host = new Miniflare({ modules: [worker, ...modules], compatibilityDate: '2026-01-01' })
  try {
    const response = await host.dispatchFetch('http://localhost/')
    expect(await response.json()).toEqual(installed.expected)
  } finally {
    await host.dispose()
  }
})
