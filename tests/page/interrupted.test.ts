// An answer that is streaming while the page is closed: what had arrived is kept, and the chat can go on.
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { chooseModel, isIdle, isStored, PROVIDERS, type Provider } from './talk.js'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer()
})
afterEach(() => server.close())

const openPage = pages((complaint) => complaint.includes(server.origin))

const connect = (page: Page, provider: Provider) =>
  chooseModel(page, server.origin, { provider, key: 'secret' })

async function ask(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
}

const PARTIAL = { kind: 'waits', said: { text: 'The offset is added' } } as const
const NOTE = 'The page was closed before the answer was complete.'

async function interruptedChat(provider: Provider = PROVIDERS[0]): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  await connect(page, provider)
  server.next(PARTIAL)
  await ask(page, 'why?')
  await page.locator('.live', { hasText: 'The offset is added' }).waitFor()
  await isStored(page)
  await page.reload()
  await page.locator('.row-text', { hasText: 'The offset is added' }).waitFor()
  await page.locator('.row-note', { hasText: NOTE }).waitFor()
  return page
}

test.each(PROVIDERS)(
  'an answer interrupted by a reload is kept, and the next request is valid: %s',
  async (provider) => {
    const page = await interruptedChat(provider)
    await connect(page, provider)
    server.next({ kind: 'answers', said: { text: 'It is not taken away.' } })
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.locator('.row-text', { hasText: 'It is not taken away.' }).waitFor()
    await isIdle(page)
    expect(server.faults()).toEqual([])
    expect(JSON.stringify(server.received.at(-1)?.body)).toContain('The offset is added')
    expect(await page.getByRole('button', { name: 'Continue', exact: true }).count()).toBe(0)
  },
  60_000,
)

test('an answer interrupted by a reload is kept once, and its temporary copy is removed', async () => {
  const page = await interruptedChat()
  await page.reload()
  await page.locator('.row-note', { hasText: NOTE }).waitFor()
  await isStored(page)
  await page.reload()
  await page.locator('.row-note', { hasText: NOTE }).waitFor()
  expect(await page.locator('.row-text').count()).toBe(1)
  expect(await page.locator('.row-note').count()).toBe(1)
  const stored = () =>
    page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('partial')))
  expect(await stored()).toEqual([])
}, 60_000)

test('a complete answer is not marked as interrupted after a reload', async () => {
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  await connect(page, PROVIDERS[0])
  server.next({ kind: 'answers', said: { text: 'All of it.' } })
  await ask(page, 'why?')
  await page.locator('.row-text', { hasText: 'All of it.' }).waitFor()
  await isIdle(page)
  await isStored(page)
  await page.reload()
  await page.locator('.row-text', { hasText: 'All of it.' }).waitFor()
  expect(await page.locator('.row-note').count()).toBe(0)
}, 60_000)
