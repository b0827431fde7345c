// The packed package in tests of applications: Jest and Vitest, in each of their environments.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../package/consumer.js'
import { packed } from '../packed.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Runners find their environments among the packages beside the tests. */
const FOLDER = at('../../.work/runners')
const installed = packed()

/** What the guide adds to jsdom. */
const SETUP = `const { TextDecoder, TextEncoder } = require('node:util')
Object.assign(globalThis, { TextDecoder, TextEncoder })
`

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  await run('cp', ['-al', at('node_modules'), FOLDER], FOLDER)
  cpSync(installed.consumer.folder, FOLDER, { recursive: true })
  const jest = { transform: {}, setupFiles: ['./setup.cjs'], testMatch: ['**/eight.test.cjs'] }
  const files = {
    'setup.cjs': SETUP,
    'jest.config.json': JSON.stringify(jest),
    'vitest.config.mjs': 'export default { test: { globals: true } }\n',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(FOLDER, name), content)
})

/** A test of an application, which stores what the eight functions returned. */
const testOf = (load: string) => `test('eight', async () => {
  const { eight } = ${load}
  const { writeFileSync } = await import('node:fs')
  writeFileSync('outcome.json', JSON.stringify(await eight()))
})
`
const IMPORT = testOf("await import('./hosts/eight.js')")
const REQUIRE = testOf("require('./hosts/eight.js')")

const jest = (environment: string) => [
  ...['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--config', 'jest.config.json'],
  ...['--env', environment, 'eight.test.cjs'],
]
const vitest = (environment: string) => [
  ...['node_modules/vitest/vitest.mjs', 'run', '--environment', environment, 'eight.test.mjs'],
]
const NODE_24 = at('../packages/node_modules/node-24/bin/node')

test.each([
  ['Jest, node', process.execPath, jest('node'), IMPORT],
  ['Jest, jsdom', process.execPath, jest('jsdom'), IMPORT],
  ['Jest, happy-dom', process.execPath, jest('@happy-dom/jest-environment'), IMPORT],
  ['Jest on Node 24, require', NODE_24, jest('node'), REQUIRE],
  // Vitest 5 and its jsdom need a newer Node than 20.
  ['Vitest on Node 24, node', NODE_24, vitest('node'), IMPORT],
  ['Vitest on Node 24, jsdom', NODE_24, vitest('jsdom'), IMPORT],
  ['Vitest on Node 24, happy-dom', NODE_24, vitest('happy-dom'), IMPORT],
])('%s gives the same results as Node', async (_, program, args, script) => {
  rmSync(join(FOLDER, 'outcome.json'), { force: true })
  writeFileSync(join(FOLDER, args.at(-1) as string), script)
  await run(program, args, FOLDER, 120_000)
  expect(JSON.parse(readFileSync(join(FOLDER, 'outcome.json'), 'utf8'))).toEqual(installed.expected)
})
