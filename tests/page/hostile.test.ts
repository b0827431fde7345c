// Texts, calls and results that try to run, to load, to cover or to stop something: from a recorded session, and from
// files that the agent's tools read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages } from './browser.js'
import { BOMBS, bombChat, hostileChat } from './hostile-chat.js'
import { lookThrough } from './hostile-look.js'
import { say } from './talk.js'
import { longestTask } from './tasks.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-hostile-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const openPage = pages()

/** Longest allowed task, in milliseconds of processor time. */
const FREEZE = 2000

async function open(width: number, height: number): Promise<Page> {
  const { page } = await openPage({ width, height, path: '/' })
  await page.waitForSelector('#composer')
  return page
}

test.each([
  { width: 390, what: 'markup, addresses and names', session: hostileChat },
  { width: 1280, what: 'markup, addresses and names', session: hostileChat },
  { width: 390, what: 'texts that are large to lay out', session: bombChat },
])(
  'hostile content of a recorded session runs no script, adds no elements or event handlers, and keeps the layout, at $width px: $what',
  async ({ width, session }) => {
    const page = await open(width, 1600)
    const path = join(folder, 'hostile.json')
    writeFileSync(path, session())
    const longest = await longestTask(page)
    await page.setInputFiles('[aria-label="Session file"]', path)
    await page.waitForSelector('[aria-label="Play from the start"]', { timeout: 120_000 })
    const { faults, parts } = await lookThrough(page)
    expect(faults).toEqual([])
    expect(parts).toBeGreaterThan(20)
    expect(await longest()).toBeLessThan(FREEZE)
  },
  600_000,
)

test('hostile files that tools of the agent read and print run no script, stop nothing and keep the layout', async () => {
  const page = await open(390, 844)
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add files' }).click()
  const files = BOMBS.map((text, at) => ({
    name: `b${at}.md`,
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  }))
  await (await choosing).setFiles([
    ...files,
    { name: '<img src=x onerror=window.pwned=1>\u202e.ts', mimeType: 'text/plain', buffer: Buffer.from('x') },
  ])
  await expect.poll(() => page.inputValue('#composer')).toBe('list files')
  const longest = await longestTask(page)
  await say(page, 'list files')
  for (const { name } of files) await say(page, `read ${name}`)
  for (const { name } of files) await say(page, `run cat ${name}`)
  await say(page, 'search a')
  const { faults } = await lookThrough(page)
  expect(faults).toEqual([])
  expect(await longest()).toBeLessThan(FREEZE)
}, 600_000)
