import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { readTranscript } from 'trimtab/transcripts'
import { expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { chooseModel, isStored, say } from './talk.js'

let server: ModelServer | undefined

// The browser logs messages about the endpoint of a model.
const openPage = pages((complaint) => server !== undefined && complaint.includes(server.origin))

const FIRST = ['Run the long log', 'read src/app.ts', 'list files', 'list files', 'list files']
const THEN = ['read src/app.ts', 'Run the long log', 'list files', 'list files']

/** Takes a screenshot if `TRIMTAB_PICTURES` names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TRIMTAB_PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` })
}

/** Opens a chat that is long enough to be compacted. */
async function talk(width: number): Promise<Page> {
  const { page } = await openPage({ width, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  for (const text of FIRST) await say(page, text)
  return page
}

async function compact(page: Page): Promise<void> {
  await page.fill('#composer', '/compact')
  await page.press('#composer', 'Enter')
  const offer = page.getByRole('region', { name: 'Compact this chat' })
  await expect.poll(() => offer.textContent()).toMatch(/stand for \d+ messages/)
  await picture(page, `compact-offer-${page.viewportSize()?.width}`)
  await offer.getByRole('button', { name: 'Summarize without a model' }).click()
  await page.getByRole('region', { name: 'Compacted' }).waitFor()
}

const segments = (page: Page) => page.getByRole('region', { name: 'Segments' }).getByRole('button')
const users = (page: Page) => page.locator('.row-user').allTextContents()
const hasLog = async (page: Page) => (await users(page)).some((text) => text.includes('run the long log'))

test('a compacted chat keeps the replaced messages as a read-only segment that can be forked', async () => {
  const page = await talk(1280)
  const before = await users(page)
  await compact(page)
  expect((await users(page)).length).toBeLessThan(before.length)
  expect(await hasLog(page)).toBe(false)
  const row = page.getByRole('region', { name: 'Compacted' })
  await expect.poll(() => row.textContent()).toMatch(/Compacted messages 1–\d+: .* → .* tokens/)
  await row.getByRole('button', { name: 'Read the summary' }).click()
  await row.locator('.summary-text').waitFor()
  await picture(page, 'compacted-1280')
  expect(await segments(page).allTextContents()).toEqual([
    expect.stringMatching(/^1 messages 1–\d+$/),
    '2 current',
  ])

  await say(page, 'list files')
  const after = await users(page)
  await isStored(page)
  await page.reload()
  await row.waitFor()
  await expect.poll(() => users(page)).toEqual(after)

  await segments(page).first().click()
  const bar = page.getByRole('region', { name: 'An earlier segment' })
  await bar.waitFor()
  await expect.poll(() => users(page)).toEqual(before)
  expect(await page.locator('#composer').count()).toBe(0)
  await picture(page, 'segment-1280')
  await bar.getByRole('button', { name: 'Back to latest' }).click()
  await expect.poll(() => users(page)).toEqual(after)
  await say(page, 'list files')

  await segments(page).first().click()
  await bar.getByRole('button', { name: 'Fork here' }).click()
  await page.waitForSelector('#composer')
  await expect.poll(() => users(page)).toEqual(before)
  await say(page, 'list files')
  expect((await users(page)).length).toBe(before.length + 1)
})

test('a chat that was compacted twice is exported with all its messages', async () => {
  const page = await talk(390)
  await compact(page)
  await picture(page, 'compacted-390')
  for (const text of ['read src/app.ts', 'Run the long log', 'list files', 'list files'])
    await say(page, text)
  await compact(page)
  await page.getByRole('button', { name: 'Chats' }).click()
  await expect.poll(() => segments(page).count()).toBe(3)
  await picture(page, 'segments-390')

  await page.getByRole('button', { name: 'Export…' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const { messages, format } = readTranscript(readFileSync(await (await download).path(), 'utf8'))
  expect(format).toBe('openai-chat')
  const texts = (messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
  const summaries = texts.filter((text) => text.startsWith('[Summary'))
  expect(summaries.length).toBe(2)
  expect(texts.filter((text) => !summaries.includes(text))).toEqual([...FIRST, ...THEN])
})

test('a summary that was cut at the token limit is not used, and the page says so', async () => {
  server = await startModelServer()
  const page = await talk(1280)
  await chooseModel(page, server.origin)
  server.next({ kind: 'answers', said: { text: '## 1. Task\nThe user wants the follow', isCut: true } })
  await page.fill('#composer', '/compact')
  await page.press('#composer', 'Enter')
  await page
    .getByRole('button', { name: /^Summarize with/ })
    .first()
    .click()
  await page.getByRole('region', { name: 'Compacted' }).waitFor()
  const row = page.getByRole('region', { name: 'Compacted' })
  await row.getByRole('button', { name: 'Read the summary' }).click()
  const summary = await row.locator('.summary-text').textContent()
  expect(summary).not.toContain('The user wants the follow')
  await page
    .getByText('The summary was put together without the model: it reached its token limit before the end.')
    .waitFor()
  expect(server.received).toHaveLength(1)
  expect(server.faults()).toEqual([])
  await server.close()
})
