// An answer that is streaming while the page is closed: what had arrived is kept, and the chat can go on.
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
const NOTE = 'The chat was closed before the answer was complete.'

/** Takes from a browser's pages what they do not have if they are served without encryption. */
const withoutEncryption = (page: Page) =>
  page.context().addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'locks')
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
  })

/** Opens a chat in which a model has said a part of its answer. */
async function answeringChat(
  provider: Provider = PROVIDERS[0],
  prepare: (page: Page) => void = () => {},
): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/', prepare })
  await page.waitForSelector('#composer')
  await connect(page, provider)
  server.next(PARTIAL)
  await ask(page, 'why?')
  await page.locator('.live', { hasText: 'The offset is added' }).waitFor()
  await isStored(page)
  return page
}

async function isInterrupted(page: Page): Promise<void> {
  await page.locator('.row-text', { hasText: 'The offset is added' }).waitFor()
  await page.locator('.row-note', { hasText: NOTE }).waitFor()
  expect(await page.locator('.row-text').count()).toBe(1)
}

async function interruptedChat(provider?: Provider): Promise<Page> {
  const page = await answeringChat(provider)
  await page.reload()
  await isInterrupted(page)
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

/** The parts of answers that the browser stores. */
const parts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('partial')))

test('an answer interrupted by a reload is kept once, and its temporary copy is removed', async () => {
  const page = await interruptedChat()
  await isStored(page)
  expect(await parts(page)).toEqual([])
  await page.reload()
  await isInterrupted(page)
  expect(await page.locator('.row-note').count()).toBe(1)
}, 60_000)

/** Opens the same address in another tab of the same browser. */
async function otherTab(page: Page): Promise<Page> {
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(() => void window.open(location.href, '_blank', 'noopener')),
  ])
  await other.locator('.row-user').waitFor()
  return other
}

/** Ends the page without an event, as a browser does that has no memory for it. */
async function kill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  // Never answered.
  session.send('Page.crash').catch(() => undefined)
  await page.waitForEvent('crash')
}

/** What the browser stores of tabs that answer. */
const locks = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('answering')))

const BROWSERS: [string, (page: Page) => void][] = [
  ['with locks', () => {}],
  ['without encryption', (page) => void withoutEncryption(page)],
]

describe.each(BROWSERS)('%s', (_, prepare) => {
  test('an answer interrupted by the end of its tab is kept, also where another tab shows the chat', async () => {
    const page = await answeringChat(PROVIDERS[0], prepare)
    await expect.poll(() => parts(page)).toHaveLength(1)
    const other = await otherTab(page)
    await other.waitForTimeout(500)
    expect(await other.locator('.row-text').count()).toBe(0)
    await kill(page)
    await isInterrupted(other)
    await isStored(other)
    expect(await parts(other)).toEqual([])
    await isInterrupted(await otherTab(other))
  }, 60_000)

  test('an answer that streams is not shown as interrupted in another tab', async () => {
    const page = await answeringChat(PROVIDERS[0], prepare)
    await expect.poll(() => parts(page)).toHaveLength(1)
    const other = await otherTab(page)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await other.locator('.row-note', { hasText: 'Stopped' }).waitFor()
    await isStored(page)
    expect(await parts(page)).toEqual([])
    expect(await other.locator('.row-note').allTextContents()).toEqual(['Stopped'])
    expect(await other.locator('.session-button').count()).toBe(1)
  }, 60_000)

  test('an answer interrupted by the end of its tab is kept when the chat is opened again', async () => {
    const page = await answeringChat(PROVIDERS[0], prepare)
    await expect.poll(() => parts(page)).toHaveLength(1)
    // The browser stays open.
    const [blank] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(() => void window.open('./viewer.html', '_blank', 'noopener')),
    ])
    const address = page.url()
    await kill(page)
    await blank.goto(address)
    await isInterrupted(blank)
    await isStored(blank)
    expect(await parts(blank)).toEqual([])
    expect(await locks(blank)).toEqual([])
  }, 60_000)
})

test('an answer is kept if another chat is opened while it streams', async () => {
  const page = await answeringChat()
  await page.click('text=New chat')
  await expect.poll(() => page.locator('.row-user').count()).toBe(0)
  await page.click('.session-button')
  await isInterrupted(page)
}, 60_000)

test('a hidden page saves what the agent does', async () => {
  const { page } = await openPage({
    width: 1280,
    path: '/',
    prepare: (one) =>
      void one.addInitScript(() => {
        const { requestAnimationFrame: paint } = window
        // A hidden page is not painted.
        window.requestAnimationFrame = (work) => ('isHidden' in globalThis ? 0 : paint(work))
      }),
  })
  await page.waitForSelector('#composer')
  await page.fill('#composer', 'list files')
  await page.evaluate(() => Object.assign(globalThis, { isHidden: true }))
  await page.press('#composer', 'Enter')
  // Not `isStored`, which waits for frames.
  const state = () =>
    page.evaluate(() => [
      document.querySelectorAll('.row-text').length,
      location.hash.includes('chat=') && !document.documentElement.hasAttribute('data-unsaved'),
    ])
  await expect.poll(state).toEqual([1, true])
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
