// The packed package as TypeScript sees it in a strict project without other types.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Consumer, makeConsumer, PROJECT, readJson, run } from './consumer.js'

const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')

let consumer: Consumer
beforeAll(async () => {
  consumer = await makeConsumer()
})
afterAll(() => consumer.remove())

const compile = (...args: string[]) => run(process.execPath, [compiler, ...args], consumer.folder)

describe.each(['nodenext', 'bundler'])('module resolution %s', (resolution) => {
  const project = join('types', `tsconfig.${resolution}.json`)

  test('infers the host’s message type and refuses mistakes', async () => {
    expect(await compile('-p', project)).toBe('')
  })

  test('finds the types of every entry point', async () => {
    const files = (await compile('-p', project, '--listFilesOnly')).split('\n')
    for (const entry of [
      'index',
      'slim',
      'recipes/index',
      'sessions/index',
      'encodings/index',
      'encodings/loaders/qwen2',
    ]) {
      expect(files).toContain(join(consumer.installed, 'js', 'dist', `${entry}.d.ts`))
    }
    expect(files.filter((file) => file.endsWith('.js'))).toEqual([])
  })
})

const nodeTypes = ['--types', 'node', '--typeRoots', join(PROJECT, 'node_modules', '@types')]
const noTypes = ['--typeRoots', join(PROJECT, 'none')]

test.each([
  ['Node', 'es2023', nodeTypes],
  ['workers', 'es2023,webworker', noTypes],
  ['the DOM', 'es2023,dom', noTypes],
])('every entry point but the panel compiles with the types of %s alone', async (_, lib, types) => {
  const { exports } = readJson(join(consumer.installed, 'package.json')) as { exports: object }
  const entries = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'object' && !entry.includes('*') && !entry.endsWith('/panel') ? [entry] : [],
  )
  const imports = entries.map((entry, i) => `export * as e${i} from '${entry.replace('.', 'trimtab')}'\n`)
  writeFileSync(join(consumer.folder, 'entries.mts'), imports.join(''))
  expect(entries.length).toBeGreaterThan(25)
  const options = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022 --lib'
  expect(await compile(...options.split(' '), lib, ...types, 'entries.mts')).toBe('')
})

test('`types` is the first condition of every entry point that has types', () => {
  const { exports } = readJson(join(consumer.installed, 'package.json')) as {
    exports: Record<string, string | Record<string, string>>
  }
  const conditions = Object.entries(exports).filter(([, target]) => typeof target === 'object')
  expect(conditions.map(([entry]) => entry)).toEqual(expect.arrayContaining(['.', './slim', './transcripts']))
  for (const [entry, target] of conditions) expect(Object.keys(target)[0], entry).toBe('types')
})
