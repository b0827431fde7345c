// The packed package in one Node program for each bundler, and its types in each version of TypeScript.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as vite7 } from 'vite'
import { describe, expect, test } from 'vitest'
import { run } from '../package/consumer.js'
import { packed } from './packed.js'

const program = (path: string) => fileURLToPath(new URL(`packages/node_modules/${path}`, import.meta.url))
type Rollup = (options: object) => Promise<{ write(output: object): Promise<unknown> }>
type Build = (options: object) => Promise<unknown>
interface Stats {
  hasErrors(): boolean
  hasWarnings(): boolean
}

/** Modules installed in `packages`, and those that come with Vite 7. */
const hosts = createRequire(new URL('packages/package.json', import.meta.url))
const fromVite = createRequire(createRequire(import.meta.url).resolve('vite'))
const { rollup } = fromVite('rollup') as { rollup: Rollup }
const esbuild = fromVite('esbuild') as { build: Build }
const { rolldown } = hosts('rolldown') as { rolldown: Rollup }
const { nodeResolve } = hosts('@rollup/plugin-node-resolve') as { nodeResolve: (options: object) => object }
const { build: vite8 } = hosts('vite-8') as { build: Build }
const webpack = hosts('webpack') as (
  options: object,
  done: (error: Error | null, stats?: Stats) => void,
) => void

const installed = packed()

/** Bundles `hosts/print.js` or `hosts/require.cjs` and returns the path of the output file. */
type Bundle = (folder: string) => Promise<string>

const esbuilt =
  (format: 'esm' | 'cjs', entry: string, options: object = {}): Bundle =>
  async (folder) => {
    const outfile = join(folder, `out.${format === 'esm' ? 'mjs' : 'cjs'}`)
    await esbuild.build({
      absWorkingDir: installed.consumer.folder,
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format,
      logLevel: 'silent',
      ...options,
    })
    return outfile
  }

const webpacked =
  (
    entry: string,
    filename: string,
    { output, ...options }: { output?: object; [option: string]: unknown },
  ): Bundle =>
  async (folder) => {
    const configuration = {
      mode: 'production',
      target: 'node20',
      context: installed.consumer.folder,
      entry,
      output: { path: folder, filename, ...output },
      ...options,
    }
    await new Promise<void>((resolve, reject) => {
      webpack(configuration, (error, stats) => {
        if (error) reject(error)
        else if (stats?.hasErrors() || stats?.hasWarnings()) reject(new Error(stats.toString()))
        else resolve()
      })
    })
    return join(folder, filename)
  }

const built =
  (build: Build): Bundle =>
  async (folder) => {
    await build({
      root: installed.consumer.folder,
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      build: {
        ssr: 'hosts/print.js',
        outDir: folder,
        rollupOptions: { output: { entryFileNames: 'out.mjs' } },
      },
    })
    return join(folder, 'out.mjs')
  }

const MODULE = {
  experiments: { outputModule: true },
  output: { module: true, chunkFormat: 'module' },
} as const

const BUNDLES: Record<string, Bundle> = {
  esbuild: esbuilt('esm', 'hosts/print.js'),
  'esbuild, one script': esbuilt('cjs', 'hosts/require.cjs'),
  'webpack 5': webpacked('./hosts/print.js', 'out.mjs', MODULE),
  'webpack 5, one script for Electron': webpacked('./hosts/require.cjs', 'out.cjs', {
    target: 'electron-main',
  }),
  // Only the site knows the URL of its files, as in pages that Next.js renders on the server.
  'webpack 5, paths of a site': webpacked('./hosts/print.js', 'out.mjs', {
    ...MODULE,
    module: { parser: { javascript: { url: 'relative' } } },
  }),
  Rollup: async (folder) => {
    const bundle = await rollup({
      input: join(installed.consumer.folder, 'hosts/print.js'),
      plugins: [nodeResolve({ exportConditions: ['node'] })],
    })
    await bundle.write({ dir: folder, entryFileNames: 'out.mjs' })
    return join(folder, 'out.mjs')
  },
  Rolldown: async (folder) => {
    const bundle = await rolldown({
      cwd: installed.consumer.folder,
      input: 'hosts/print.js',
      platform: 'node',
    })
    await bundle.write({ dir: folder, entryFileNames: 'out.mjs' })
    return join(folder, 'out.mjs')
  },
  'Vite 7': built(vite7),
  'Vite 8': built(vite8),
}

describe('a bundled Node program', () => {
  test.each(Object.entries(BUNDLES))(
    'of %s finds the files of the installed package',
    async (name, bundle) => {
      const folder = join(installed.consumer.folder, 'bundles', name.replace(/\W+/g, '-'))
      mkdirSync(folder, { recursive: true })
      const file = await bundle(folder)
      expect(existsSync(file)).toBe(true)
      expect(JSON.parse(await run(process.execPath, [file], folder))).toEqual(installed.expected)
    },
  )
})

test('a bundle without the installed package fails with instructions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-bundle-'))
  try {
    const file = await BUNDLES.esbuild?.(folder)
    await expect(run(process.execPath, [file ?? ''], folder)).rejects.toThrow(
      /TrimtabError: .*cl100k_base_bg\.wasm cannot be read; install trimtab beside the bundle, or pass \{source: /,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe.each(['5.4', '7'])('TypeScript %s', (version) => {
  const compiler = program(`typescript-${version}/bin/tsc`)
  test.each(['nodenext', 'bundler'])(
    'compiles with module resolution %s and checked libraries',
    async (resolution) => {
      const project = join('types', `tsconfig.${resolution}.json`)
      expect(await run(process.execPath, [compiler, '-p', project], installed.consumer.folder)).toBe('')
    },
  )
})
