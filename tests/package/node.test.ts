// The packed package in its users' Node projects, loaded in every way.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../page/serve.js'
import { type Consumer, makeConsumer } from './consumer.js'

let consumer: Consumer
beforeAll(async () => {
  consumer = await makeConsumer()
})
afterAll(() => consumer.remove())

test('the package works when it is imported', async () => {
  expect(await consumer.node('node/import.js')).toBe('done\n')
})

test('the package works when it is required', async () => {
  expect(await consumer.node('node/require.cjs')).toBe('done\n')
})

test('importing the package does no work and sends no network request', async () => {
  expect(await consumer.node('node/quiet-import.js')).toBe('done\n')
})

test('the package keeps no history that its host has released', async () => {
  expect(await consumer.node('--expose-gc', 'node/memory.js')).toBe('done\n')
})

test('the trimtab command runs', async () => {
  const sample = join(consumer.installed, 'examples', 'session.jsonl')
  const command = join(consumer.installed, 'js', 'dist', 'cli', 'main.js')
  const inspection: unknown = JSON.parse(await consumer.node(command, 'inspect', '--json', sample))
  expect(inspection).toMatchObject({ kind: 'claude-code', format: 'anthropic' })
})

test('the example agent edits a folder and saves its session', async () => {
  const folder = join(consumer.folder, 'scratch')
  const output = await consumer.node(join(consumer.installed, 'examples', 'agent.mjs'), folder)
  expect(output).toContain('edit_file: Edited src/greet.js: replaced 5 chars with 8 chars\n')
  expect(readFileSync(join(folder, 'src/greet.js'), 'utf8')).toContain("'Good day '")
})

describe('trimtab/slim', () => {
  test.each(['bytes', 'buffer', 'module', 'response'])(
    'throws before initialisation, then starts from %s',
    async (kind) => {
      expect(await consumer.node('slim/start.js', kind)).toBe('done\n')
    },
  )

  test('starts from a URL', async () => {
    const server = await serve(join(consumer.installed, 'pkg'))
    try {
      expect(await consumer.node('slim/start.js', 'url', `${server.origin}/core_bg.wasm`)).toBe('done\n')
    } finally {
      await server.close()
    }
  })
})

describe('trimtab/encodings', () => {
  test.each(['itself', 'bytes', 'module', 'response'])('loads an encoding from %s', async (kind) => {
    expect(await consumer.node('encodings/load.js', kind)).toBe('done\n')
  })

  test('loads an encoding from a URL', async () => {
    const server = await serve(join(consumer.installed, 'pkg', 'encodings'))
    try {
      const address = `${server.origin}/cl100k_base_bg.wasm`
      expect(await consumer.node('encodings/load.js', 'url', address)).toBe('done\n')
    } finally {
      await server.close()
    }
  })
})
