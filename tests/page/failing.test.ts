// A browser that denies storage, and parts of the page that cannot be loaded: the page says so, keeps what it has in
// memory, and goes on once it can.
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { chooseModel, isIdle, isStored, say } from './talk.js'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer()
})
afterEach(() => server.close())

const ENDED = 'ended by the test'
/** What a browser reports of requests that a test fails on purpose. */
const FAILED = /net::ERR_FAILED|404|ended by the test|cannot be loaded/
const openPage = pages((complaint) => complaint.includes(server.origin) || FAILED.test(complaint))

const WORKERS = /\/assets\/worker-[^/]*\.js$/

/** Runs a script in each worker of the page, before anything is done there. */
function inWorkers(page: Page, script: string): void {
  void page.route(WORKERS, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${script};${await response.text()}` })
  })
}

const DENIED = `{ configurable: true, get() { throw new DOMException('Access is denied', 'SecurityError') } }`
/** Denies the database until `allow` is called in the worker. */
const withoutDatabase = (page: Page) =>
  inWorkers(
    page,
    `const given = indexedDB;
    self.allow = () => Object.defineProperty(self, 'indexedDB', { value: given });
    Object.defineProperty(self, 'indexedDB', ${DENIED})`,
  )
const withoutLocalStorage = (page: Page) =>
  void page.addInitScript(`Object.defineProperty(window, 'localStorage', ${DENIED})`)

async function open(prepare: (page: Page) => void = () => {}): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/', prepare })
  await page.waitForSelector('#composer')
  return page
}

const said = (page: Page) => page.locator('.row-user').allTextContents()
const answers = (page: Page) => page.locator('.row-text').allTextContents()
const notice = (page: Page, text: string) => page.locator('.notice', { hasText: text }).waitFor()

async function ask(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
}

test('without any storage a notice says that the chat is not saved, and the chat works', async () => {
  const page = await open((one) => {
    withoutDatabase(one)
    withoutLocalStorage(one)
    void one.addInitScript(() => {
      Object.defineProperty(navigator.storage, 'getDirectory', {
        value: () => Promise.reject(new DOMException('Access is denied', 'SecurityError')),
      })
    })
  })
  await say(page, 'list files')
  await notice(page, 'could not be saved')
  await say(page, 'run the long log')
  await say(page, 'read src/app.ts')
  expect(await said(page)).toEqual(['list files', 'run the long log', 'read src/app.ts'])
  expect((await answers(page)).at(-1)).toContain('I have read')
  expect(await page.locator('.failure').count()).toBe(0)
}, 60_000)

test('a chat whose first saves were denied is saved once storage is allowed', async () => {
  const page = await open(withoutDatabase)
  await say(page, 'list files')
  await notice(page, 'could not be saved')
  const allow = () => (globalThis as { allow?(): void }).allow?.()
  await Promise.all(page.workers().map((worker) => worker.evaluate(allow)))
  await say(page, 'search dayOf')
  await isStored(page)
  await expect.poll(() => page.locator('.notice').count()).toBe(0)
  await page.unroute(WORKERS)
  await page.reload()
  await expect.poll(() => said(page)).toEqual(['list files', 'search dayOf'])
}, 60_000)

/** A database that the browser never opens, in the workers. */
const withSilentDatabase = (page: Page) => inWorkers(page, 'IDBFactory.prototype.open = () => ({})')

test('if the browser does not answer with its database, the page says so, and chats work without it', async () => {
  const page = await open(withSilentDatabase)
  await say(page, 'list files')
  await notice(page, 'did not open the database')
  await say(page, 'search dayOf')
  expect(await said(page)).toEqual(['list files', 'search dayOf'])
  expect(await answers(page)).toHaveLength(2)
}, 60_000)

test('a chat that the browser does not load can be left, and does not come back later', async () => {
  const page = await open()
  await say(page, 'list files')
  await isStored(page)
  inWorkers(page, 'IDBFactory.prototype.open = () => ({})')
  await page.reload()
  await page.locator('.opening', { hasText: 'list files' }).waitFor()
  await page.click('text=Cancel')
  expect(await page.locator('.opening').count()).toBe(0)
  await page.reload()
  await page.locator('.opening', { hasText: 'list files' }).waitFor()
  await notice(page, 'The chat cannot be opened')
  await page.click('text=New chat')
  await say(page, 'search dayOf')
  expect(await said(page)).toEqual(['search dayOf'])
}, 60_000)

test('without localStorage a chat is opened again by its URL', async () => {
  const page = await open(withoutLocalStorage)
  await say(page, 'list files')
  await notice(page, 'the list of chats')
  expect(await page.locator('.session-button').allTextContents()).toEqual(['list files'])
  await isStored(page)
  await page.reload()
  await expect.poll(() => said(page)).toEqual(['list files'])
  await say(page, 'search dayOf')
  expect(await said(page)).toEqual(['list files', 'search dayOf'])
}, 60_000)

test('a chat is saved again as a whole after the user clears its stored data', async () => {
  const page = await open()
  await say(page, 'list files')
  await isStored(page)
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(page.url())
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  await say(page, 'search dayOf')
  await isStored(page)
  await page.reload()
  await expect.poll(() => said(page)).toEqual(['list files', 'search dayOf'])
}, 60_000)

test('if the worker cannot be started, the page shows an error, and Try again continues the turn', async () => {
  const page = await open((one) => void one.route(WORKERS, (route) => route.abort()))
  await ask(page, 'list files')
  await page.locator('.failure', { hasText: 'could not be started' }).waitFor()
  await page.unroute(WORKERS)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForSelector('.row-text')
  await isIdle(page)
  await isStored(page)
  await page.reload()
  await expect.poll(() => said(page)).toEqual(['list files'])
  expect(await answers(page)).toHaveLength(1)
}, 60_000)

test('if the worker of a search cannot be started, an error is shown, and the next search starts it', async () => {
  const page = await open()
  for (const text of ['list files', 'search dayOf']) {
    await page.click('text=New chat')
    await say(page, text)
    await isStored(page)
  }
  const search = page.getByRole('searchbox', { name: 'Search chats' })
  await page.route(WORKERS, (route) => route.abort())
  await search.fill('files')
  await page.locator('.found-state', { hasText: 'Messages could not be searched' }).waitFor()
  await page.unroute(WORKERS)
  await search.fill('list files')
  await page.locator('.found-place').first().waitFor()
  expect(await page.textContent('.found-state')).not.toContain('could not')
}, 60_000)

/** Ends the page's workers by an error, as a browser does that has no memory for them. */
async function endWorkers(page: Page): Promise<void> {
  const end = (why: string) =>
    void setTimeout(() => {
      throw new Error(why)
    })
  await Promise.all(page.workers().map((worker) => worker.evaluate(end, ENDED)))
  await page.waitForTimeout(300)
}

test('a worker that crashes is replaced, and the next request keeps the stubs of cleared results', async () => {
  const page = await open()
  await chooseModel(page, server.origin)
  await page.selectOption('#policy', 'rolling')
  const read = { name: 'shell', arguments: { command: 'cat logs/build.log' } }
  const step = { kind: 'answers', said: { calls: [read] } } as const
  const last = { kind: 'answers', said: { text: 'Done.' } } as const
  server.next(...Array.from({ length: 9 }, () => step), last)
  await ask(page, 'read it nine times')
  await page.waitForSelector('.row-text')
  await isIdle(page)
  await endWorkers(page)
  server.next(step, last)
  await ask(page, 'and once more')
  await expect.poll(() => page.locator('.row-text').count()).toBe(2)
  await isIdle(page)
  expect(server.faults()).toEqual([])
  type Message = { role: string; tool_call_id?: string; content: string }
  const results = ((server.received.at(-1)?.body.messages ?? []) as Message[]).filter(
    ({ role }) => role === 'tool',
  )
  expect(results).toHaveLength(10)
  expect(new Set(results.map((one) => one.tool_call_id)).size).toBe(10)
  const isStub = results.map(({ content }) => content.length < 1000)
  expect(isStub.lastIndexOf(true)).toBe(isStub.indexOf(false) - 1)
  expect(isStub[0]).toBe(true)
}, 60_000)

test('if the engine cannot be loaded, the page shows the error', async () => {
  const { page } = await openPage({
    path: '/',
    prepare: (one) => void one.route(/core_bg.*\.wasm/, (route) => route.fulfill({ status: 404, body: '' })),
  })
  await page.locator('#app [role="alert"]', { hasText: 'The page cannot start' }).waitFor()
  await expect.poll(() => page.textContent('#app')).toContain('404')
}, 30_000)

test('if a script of the page cannot be loaded, an error is shown, and the chat continues after a reload', async () => {
  const page = await open((one) => void one.route(/\/assets\/work-/, (route) => route.abort()))
  await ask(page, 'list files')
  await page.locator('.failure', { hasText: 'A part of this page cannot be loaded' }).waitFor()
  await isStored(page)
  await page.unroute(/\/assets\/work-/)
  await page.reload()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForSelector('.row-text')
}, 30_000)

test('an export that fails says why, and the next one works', async () => {
  const page = await open()
  await say(page, 'list files')
  const start = async () => {
    await page.click('text=Export…')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
  }
  const part = /\/assets\/exported-[^/]*\.js$/
  await page.route(part, (route) => route.abort())
  await start()
  await notice(page, 'The chat cannot be exported: ')
  await page.unroute(part)
  const download = page.waitForEvent('download')
  await start()
  expect((await download).suggestedFilename()).toBe('list-files.json')
})
