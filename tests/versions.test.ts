// Version numbers that occur in several files must agree.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** First capture group of a pattern in a file of the project. */
function find(path: string, pattern: RegExp): string {
  const found = pattern.exec(read(path))?.[1]
  if (found === undefined) throw new Error(`${path} does not match ${pattern}`)
  return found
}

interface Manifest {
  version: string
  engines: { node: string }
  dependencies?: Record<string, string>
  devDependencies: Record<string, string>
}
interface LockedPackage {
  version?: string
  optionalDependencies?: Record<string, string>
}

const manifest = JSON.parse(read('package.json')) as Manifest
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> }

test('wasm-bindgen has the same version in Cargo.toml, Cargo.lock and the tool of scripts/bindgen', () => {
  const pinned = find('Cargo.toml', /^wasm-bindgen = (?:\{ version = )?"=([\d.]+)"/m)
  expect(find('Cargo.lock', /name = "wasm-bindgen"\nversion = "([\d.]+)"/)).toBe(pinned)
  const tool = [/^wasm-bindgen-cli-support = "=([\d.]+)"/m, /^wasm-bindgen-cli = \{ version = "=([\d.]+)"/m]
  for (const pattern of tool) expect(find('scripts/bindgen/Cargo.toml', pattern)).toBe(pinned)
})

test('the crate and the package have the same version', () => {
  expect(find('Cargo.toml', /^version = "(.*)"$/m)).toBe(manifest.version)
  expect(find('Cargo.lock', /name = "trimtab"\nversion = "(.*)"/)).toBe(manifest.version)
})

test('scripts/setup and package.json require the same oldest Node version', () => {
  const minimum = find('scripts/versions.env', /^NODE_MINIMUM=(.*)$/m)
  expect(`${manifest.engines.node}.0`).toBe(`>=${minimum}`)
})

test('development dependencies are pinned, and package-lock.json has them', () => {
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    // A second major version is installed under an alias: `npm:ai@6.0.324`.
    const pinned = version.replace(/^npm:.+@/, '')
    expect(pinned, name).toMatch(/^\d+\.\d+\.\d+/)
    expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(pinned)
  }
})

// npm omits them when its registry does not serve them; `npm ci` then fails on every machine.
test('package-lock.json has the optional packages of every platform (node scripts/complete-lock.mjs adds them)', () => {
  const named = Object.values(lock.packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
  expect(named.filter((name) => lock.packages[`node_modules/${name}`] === undefined)).toEqual([])
})
