// 1,500 histories in all formats, each with its own policy: Chromium gives the same bytes as Node. The
// histories are generated here from a seed, and both read them from the same JSON.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.js'
import { conversation, format } from '../node/conversation.js'
import { policy } from '../node/policies.js'
import { write } from '../node/write.js'
import { serve } from '../page/serve.js'
import { type Consumer, makeConsumer } from './consumer.js'

const HISTORIES = 1500
const SEED = 1

/** For one history, a digest of each of its views and the number of edits of each pass. */
interface Golden {
  digests: string[]
  edits: Record<string, number>
}

const golden = fc
  .tuple(conversation, format, policy)
  .map(([turns, format, policy]) => ({ messages: write(turns, format), format, policy }))

let consumer: Consumer
let browser: Browser
let server: Awaited<ReturnType<typeof serve>>
let inNode: Golden[]
const drawn = fc.sample(golden, { numRuns: HISTORIES, seed: SEED })

beforeAll(async () => {
  consumer = await makeConsumer()
  writeFileSync(join(consumer.folder, 'goldens.json'), JSON.stringify(drawn))
  server = await serve(consumer.folder)
  browser = await launchChromium()
  inNode = JSON.parse(await consumer.node('node/goldens.js')) as Golden[]
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
  consumer?.remove()
})

test('the histories differ, cover every format and make every pass edit', () => {
  expect(inNode).toHaveLength(HISTORIES)
  expect(new Set(inNode.map(({ digests }) => digests.at(-1))).size).toBeGreaterThan(HISTORIES * 0.8)
  expect(new Set(drawn.map(({ format }) => format)).size).toBe(7)
  const results = ['ephemeral', 'clear', 'age', 'reads', 'lists', 'summarize', 'clip', 'dedupe', 'budget']
  const passes = [...results, 'reasoning', 'edits', 'inputs', 'retire']
  for (const pass of passes) {
    const edits = inNode.reduce((sum, golden) => sum + (golden.edits[pass] ?? 0), 0)
    expect(edits, pass).toBeGreaterThan(5)
  }
})

test('Chromium gives the same bytes as Node', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.origin}/browser/goldens.html`, { waitUntil: 'load' })
  const inChromium = await page.evaluate(async (url) => {
    const list: unknown = await (await fetch(url)).json()
    const { digestAll } = globalThis as unknown as { digestAll(list: unknown): Promise<Golden[]> }
    return digestAll(list)
  }, `${server.origin}/goldens.json`)
  await page.close()
  expect(inChromium).toHaveLength(HISTORIES)
  const different = inChromium.findIndex((golden, i) => golden.digests.join() !== inNode[i]?.digests.join())
  expect(drawn[different], 'the first history with another view').toBeUndefined()
  expect(inChromium).toEqual(inNode)
})
