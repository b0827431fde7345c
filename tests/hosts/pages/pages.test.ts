// The packed package in hosts that take minutes: Next.js, and pages of bundlers in Chromium under a strict
// Content Security Policy.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { build as vite7 } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from '../../chromium.js'
import { run } from '../../package/consumer.js'
import { serve } from '../../page/serve.js'
import { packed } from '../packed.js'
import { outcomeOf, visit } from '../visit.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

type Bundler = (options: object) => Promise<{ write(output: object): Promise<unknown> }>
const hosts = createRequire(at('../packages/package.json'))
const fromVite = createRequire(createRequire(import.meta.url).resolve('vite'))
const { rollup } = fromVite('rollup') as { rollup: Bundler }
const { rolldown } = hosts('rolldown') as { rolldown: Bundler }
const { nodeResolve } = hosts('@rollup/plugin-node-resolve') as { nodeResolve: (options: object) => object }
const webpack = hosts('webpack') as (
  options: object,
  done: (error: Error | null, stats?: { hasErrors(): boolean; toString(): string }) => void,
) => void

/** Next.js does not follow links out of its folder, so the hosts are copied beside it as hard links. */
const FOLDER = at('../../.work/pages')

const installed = packed()
let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  await run('cp', ['-al', at('node_modules'), FOLDER], FOLDER)
  cpSync(installed.consumer.folder, FOLDER, { recursive: true })
  cpSync(at('next'), FOLDER, { recursive: true })
  // Bundlers take the folder with a lock file as the root of the project.
  cpSync(at('package-lock.json'), join(FOLDER, 'package-lock.json'))
  // Parcel reads `exports` of packages only with this setting.
  const parcel = { '@parcel/resolver-default': { packageExports: true } }
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, type: 'module', ...parcel }))
})
afterAll(() => browser?.close())

/** Runs a program of a host without the environment variables of the test runner. */
const program = (file: string, ...args: string[]) =>
  run('env', [...ENVIRONMENT, join(FOLDER, 'node_modules', file), ...args], FOLDER, 600_000)

const ENVIRONMENT = ['-u', 'NODE_ENV', '-u', 'VITEST', 'NEXT_TELEMETRY_DISABLED=1', process.execPath]

/** For each bundler, writes a bundle of the page into a folder; its script is `page.js`. */
const PAGES: Record<string, (folder: string) => Promise<unknown>> = {
  'webpack 5': (path) =>
    new Promise<void>((resolve, reject) => {
      const output = { path, filename: 'page.js' }
      webpack({ mode: 'production', context: FOLDER, entry: './hosts/page.js', output }, (error, stats) => {
        if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString()))
        else resolve()
      })
    }),
  Rollup: async (dir) => {
    const plugins = [nodeResolve({ browser: true })]
    const bundle = await rollup({ input: join(FOLDER, 'hosts/page-sources.js'), plugins })
    await bundle.write({ dir, entryFileNames: 'page.js' })
  },
  Rolldown: async (dir) => {
    const bundle = await rolldown({ cwd: FOLDER, input: 'hosts/page-sources.js', platform: 'browser' })
    await bundle.write({ dir, entryFileNames: 'page.js' })
  },
  'Vite 7': (outDir) =>
    vite7({
      root: FOLDER,
      base: './',
      configFile: false,
      logLevel: 'error',
      build: { outDir, target: 'es2022', rollupOptions: { input: join(FOLDER, 'hosts/strict.html') } },
    }),
  Parcel: (folder) => {
    const options = ['--dist-dir', folder, '--public-url', './', '--no-cache', '--no-autoinstall']
    return program('parcel/lib/bin.js', 'build', 'hosts/strict.html', ...options)
  },
}

describe('a page with a strict Content Security Policy', () => {
  test.each(Object.entries(PAGES))('built by %s gives the same results as Node', async (name, bundle) => {
    const path = join('bundles', name.replace(/\W+/g, '-'))
    const folder = join(FOLDER, path)
    mkdirSync(folder, { recursive: true })
    cpSync(join(FOLDER, 'hosts/strict.html'), join(folder, 'strict.html'))
    await bundle(folder)
    const file = name === 'Vite 7' ? 'hosts/strict.html' : 'strict.html'
    expect(readFileSync(join(folder, file), 'utf8')).toContain("default-src 'none'")
    const server = await serve(FOLDER)
    try {
      expect(await visit(browser, `${server.origin}/${path}/${file}`, outcomeOf)).toEqual(installed.expected)
    } finally {
      await server.close()
    }
  })
})

const NEXT = 'next/dist/bin/next'

/** Runs `next start` on a free port and resolves to its origin. */
function start(): Promise<{ origin: string; program: ChildProcess }> {
  return new Promise((resolve, reject) => {
    const next = [...ENVIRONMENT, join(FOLDER, 'node_modules', NEXT), 'start', '-p', '0']
    const program = spawn('env', next, { cwd: FOLDER })
    let said = ''
    program.stdout.on('data', (data: Buffer) => {
      said += String(data)
      const origin = /http:\/\/localhost:\d+/.exec(said)?.[0]
      if (origin !== undefined && said.includes('Ready')) resolve({ origin, program })
    })
    program.on('exit', (code) => reject(new Error(`next start ended with ${code}: ${said}`)))
  })
}

describe.each(['turbopack', 'webpack'])('Next.js 16, %s', (bundler) => {
  let origin = ''
  let server: ChildProcess | undefined
  beforeAll(async () => {
    rmSync(join(FOLDER, '.next'), { recursive: true, force: true })
    await program(NEXT, 'build', `--${bundler}`)
    ;({ origin, program: server } = await start())
  })
  afterAll(() => server?.kill())

  test('a route handler gives the same results as Node', async () => {
    expect(await (await fetch(`${origin}/api/node`)).json()).toEqual(installed.expected)
  })

  const shown = async () => {
    const text = () => document.querySelector('#outcome')?.textContent ?? ''
    while (text() === '') await new Promise((resolve) => setTimeout(resolve, 50))
    return text()
  }

  test.each(['a server component', 'a client component'])(
    '%s gives the same results as Node',
    async (kind) => {
      const path = kind === 'a client component' ? '/client' : '/'
      expect(JSON.parse(String(await visit(browser, origin + path, (page) => page.evaluate(shown))))).toEqual(
        installed.expected,
      )
    },
  )
})
