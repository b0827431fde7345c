// Contents of the tarball that users install.
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Consumer, filesBelow, makeConsumer, PROJECT, readJson } from './consumer.js'

interface Manifest {
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  exports: Record<string, string | Record<string, string>>
  bin: Record<string, string>
}

let consumer: Consumer
let files: string[]
let manifest: Manifest
beforeAll(async () => {
  consumer = await makeConsumer()
  files = filesBelow(consumer.installed)
  manifest = readJson(join(consumer.installed, 'package.json')) as Manifest
})
afterAll(() => consumer.remove())

const INTENDED = [
  /^js\/dist\/[\w/-]+\.(?:js|d\.ts)$/,
  /^pkg\/(?:core|files|index|search|validity)(?:_bg)?\.(?:js|d\.ts|wasm|wasm\.d\.ts)$/,
  /^pkg\/encodings\/\w+\.(?:js|d\.ts|wasm|wasm\.d\.ts)$/,
  /^encodings\/(?:LICENCES\.md|licences\/[A-Z0-9-]+\.txt)$/,
  /^js\/src\/generated\/policy\.schema\.json$/,
  /^pkg\/outline\/\w+\.(?:js|d\.ts|wasm|wasm\.d\.ts)$/,
  /^outline\/LICENCES\.md$/,
  /^examples\/(?:session\.jsonl|agent\.mjs|terminal\.mjs)$/,
  /^docs\/[\w/-]+\.md$/,
  /^(?:package\.json|README\.md|CHANGELOG\.md|CONTRIBUTING\.md|LICENSE-(?:MIT|APACHE))$/,
]

test('the tarball contains only intended files', () => {
  expect(files.filter((file) => !INTENDED.some((form) => form.test(file)))).toEqual([])
  expect(files.filter((file) => /\.(?:test|spec)\./.test(file))).toEqual([])
})

/** Whether a target of `exports`, which may match several files, includes a file. */
function matches(target: string, file: string): boolean {
  const [start = '', end] = target.split('*')
  return end === undefined ? file === target : file.startsWith(start) && file.endsWith(end)
}

test('the tarball contains every file that package.json refers to', () => {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  )
  const missing = [...targets, ...Object.values(manifest.bin)]
    .map((target) => target.replace(/^\.\//, ''))
    .filter((target) => !files.some((file) => matches(target, file)))
  expect(missing).toEqual([])
})

test('the package has no install scripts and no dependencies', () => {
  // If this file exists, npm compiles native code on install even without a script.
  expect(files).not.toContain('binding.gyp')
  const onInstall = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
  ]
  expect(Object.keys(manifest.scripts ?? {}).filter((name) => onInstall.includes(name))).toEqual([])
  expect(manifest.dependencies ?? {}).toEqual({})
})

test('the command is executable and has a shebang line', () => {
  for (const target of Object.values(manifest.bin)) {
    const file = join(consumer.installed, target)
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
    expect(statSync(file).mode & 0o111).toBe(0o111)
  }
})

test('the package contains no paths of the build machine', () => {
  const places = [homedir(), PROJECT]
    .map((place) => place.replace(/\/+$/, ''))
    .filter((place) => place.length > 1)
  const telling = files.filter((file) => {
    const bytes = readFileSync(join(consumer.installed, file))
    return places.some((place) => bytes.includes(`${place}/`))
  })
  expect(telling).toEqual([])
})
