// Chats in two tabs, and chats of a page that is closed or cannot save: nothing that was said is lost.
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { chooseModel, isStored, say } from './talk.js'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer()
})
afterEach(() => server.close())

const openPage = pages((complaint) => complaint.includes(server.origin))

const WIDE = { width: 1280, height: 860, path: '/' }

/** From now on the tab does not hear of the others, as while it sleeps. */
const deafen = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isDeaf: true }))

/** Before the page's own listener, so that {@link deafen} can keep the event from it. */
const listenFirst = (page: Page) =>
  page.addInitScript(() =>
    window.addEventListener('storage', (event) => {
      if ('isDeaf' in globalThis) event.stopImmediatePropagation()
    }),
  )

async function open(): Promise<Page> {
  const { page } = await openPage({ ...WIDE, prepare: (one) => void listenFirst(one) })
  await page.waitForSelector('#composer')
  return page
}

/** Opens the same address in another tab of the same browser. */
async function otherTab(page: Page): Promise<Page> {
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(() => void window.open(location.href)),
  ])
  await other.waitForSelector('#composer')
  return other
}

const listed = (page: Page) => page.locator('.session-button').allTextContents()
const said = (page: Page) => page.locator('.row-user').allTextContents()
const answers = (page: Page) => page.locator('.row-text').allTextContents()

const DONE = { kind: 'answers', said: { text: 'Done.' } } as const
const SHOW = { name: 'shell', arguments: { command: 'cat README.md' } }

const connect = (page: Page) => chooseModel(page, server.origin)

async function ask(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
}

test('the chats of two tabs are listed in both', async () => {
  const one = await open()
  await say(one, 'list files')
  await isStored(one)
  const two = await otherTab(one)
  await expect.poll(() => said(two)).toEqual(['list files'])
  await two.click('text=New chat')
  await say(two, 'search dayOf')
  await expect.poll(() => listed(one)).toEqual(['search dayOf', 'list files'])
  // A hidden tab is painted too rarely to see that its agent works.
  await one.bringToFront()
  await one.click('text=New chat')
  await say(one, 'read package.json')
  await expect.poll(() => listed(one)).toEqual(['read package.json', 'search dayOf', 'list files'])
  await expect.poll(() => listed(two)).toEqual(['read package.json', 'search dayOf', 'list files'])
  await one.reload()
  await expect.poll(() => listed(one)).toHaveLength(3)
}, 60_000)

test('messages of a chat appear in another tab, where the chat can be continued', async () => {
  const one = await open()
  await say(one, 'list files')
  await isStored(one)
  const two = await otherTab(one)
  await expect.poll(() => said(two)).toEqual(['list files'])
  await say(two, 'search dayOf')
  await expect.poll(() => said(one)).toEqual(['list files', 'search dayOf'])
  // The prompt arrives first. What is said before the answer has arrived would be a branch.
  await expect.poll(() => answers(one)).toEqual(await answers(two))
  await one.bringToFront()
  await say(one, 'read package.json')
  await expect.poll(() => said(two)).toEqual(['list files', 'search dayOf', 'read package.json'])
  await expect.poll(() => answers(two)).toEqual(await answers(one))
  expect(await listed(one)).toEqual(['list files'])
  expect(await one.locator('.notice').count()).toBe(0)
}, 60_000)

/** Each of two tabs has its own chat, which a reload does not change. */
async function areApart(one: Page, two: Page): Promise<void> {
  await expect.poll(() => listed(two)).toHaveLength(2)
  for (const page of [one, two]) {
    const before = await said(page)
    const answer = (await page.textContent('.row-text >> nth=-1')) ?? ''
    await isStored(page)
    await page.reload()
    await expect.poll(() => said(page)).toEqual(before)
    await expect.poll(() => page.textContent('.rows')).toContain(answer.slice(-20))
  }
}

const ELSEWHERE = 'Another tab answers here.'
const append = { name: 'append_to_file', arguments: { file_path: 'README.md', content: 'FROM TWO' } }

/** Two tabs with the same chat; in the first one, a model answers. */
async function answeringTab(): Promise<[one: Page, two: Page]> {
  const one = await open()
  await say(one, 'list files')
  await isStored(one)
  const two = await otherTab(one)
  await expect.poll(() => said(two)).toEqual(['list files'])
  await connect(one)
  server.next({ kind: 'waits', said: { text: 'The day starts' } })
  await ask(one, 'why?')
  await one.locator('.live', { hasText: 'The day starts' }).waitFor()
  await isStored(one)
  await expect.poll(() => said(two)).toEqual(['list files', 'why?'])
  return [one, two]
}

test('a chat that another tab answers in says so; a message there starts a chat of its own, with its own files', async () => {
  const [one, two] = await answeringTab()
  const third = await otherTab(one)
  for (const page of [two, third]) {
    await page.locator('.row-elsewhere', { hasText: ELSEWHERE }).waitFor()
    expect(await page.getByRole('button', { name: 'Continue', exact: true }).count()).toBe(0)
  }
  await connect(two)
  await two.getByLabel('Ask before changing files').uncheck()
  server.next({ kind: 'answers', said: { text: 'I append.', calls: [append] } }, DONE)
  // A hidden tab is painted too rarely to see that its agent works.
  await two.bringToFront()
  await say(two, 'append to it')
  await two.locator('.notice', { hasText: 'kept as a chat of its own' }).waitFor()
  expect(await two.locator('.row-elsewhere').count()).toBe(0)
  await isStored(two)
  await one.getByRole('button', { name: 'Stop', exact: true }).click()
  await third.locator('.row-elsewhere').waitFor({ state: 'detached' })
  expect(await one.locator('.notice').count()).toBe(0)
  expect(await said(one)).toEqual(['list files', 'why?'])
  server.next({ kind: 'answers', said: { text: '', calls: [SHOW] } }, DONE)
  await one.bringToFront()
  await say(one, 'show it')
  expect(JSON.stringify(server.received.at(-1)?.body)).not.toContain('FROM TWO')
  await areApart(one, two)
}, 60_000)

test('a tab that was open before another one answers says so, until that one ends', async () => {
  const one = await open()
  await say(one, 'list files')
  await isStored(one)
  const two = await otherTab(one)
  await expect.poll(() => said(two)).toEqual(['list files'])
  await connect(two)
  server.next({ kind: 'waits', said: { text: 'The day starts' } })
  await ask(two, 'why?')
  await one.locator('.row-elsewhere', { hasText: ELSEWHERE }).waitFor()
  await isStored(two)
  await two.close()
  await one.locator('.row-elsewhere').waitFor({ state: 'detached' })
  // The first tab goes on in the same chat.
  await expect.poll(() => said(one)).toEqual(['list files', 'why?'])
  await say(one, 'list files')
  await isStored(one)
  expect(await listed(one)).toEqual(['list files'])
}, 60_000)

test('a tab that did not hear of the other one branches before its agent starts', async () => {
  const one = await open()
  await say(one, 'list files')
  await isStored(one)
  const two = await otherTab(one)
  await expect.poll(() => said(two)).toEqual(['list files'])
  await deafen(one)
  await say(two, 'search dayOf')
  await isStored(two)
  await one.bringToFront()
  await say(one, 'read package.json')
  await one.locator('.notice', { hasText: 'kept as a chat of its own' }).waitFor()
  expect(await said(one)).toEqual(['list files', 'read package.json'])
  await areApart(one, two)
}, 60_000)

test('changes of two tabs that no agent makes are both kept, one of them as a chat of its own', async () => {
  const [one, two] = await answeringTab()
  await deafen(one)
  await two.getByRole('button', { name: 'Rename' }).click()
  await two.keyboard.type('The other name')
  await two.keyboard.press('Enter')
  await isStored(two)
  await one.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(() => listed(two)).toHaveLength(2)
  await areApart(one, two)
}, 60_000)

test('a chat that is reloaded while a model answers keeps its messages, and can be continued', async () => {
  const page = await open()
  await connect(page)
  server.next(
    {
      kind: 'answers',
      said: {
        text: 'I look first.',
        calls: [{ name: 'read_file', arguments: { file_paths: ['src/zone.ts'] } }],
      },
    },
    { kind: 'waits', said: { text: 'The offset' } },
  )
  await ask(page, 'why?')
  await page.locator('.live', { hasText: 'The offset' }).waitFor()
  await isStored(page)
  await page.reload()
  await expect.poll(() => said(page)).toEqual(['why?'])
  await page.locator('.row-text', { hasText: 'I look first.' }).waitFor()
  await connect(page)
  server.next({ kind: 'answers', said: { text: 'It is added.' } })
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.locator('.row-text', { hasText: 'It is added.' }).waitFor()
  expect(server.faults()).toEqual([])
}, 60_000)

test('a chat that is reloaded while a call waits for approval can be continued', async () => {
  const page = await open()
  await connect(page)
  server.next({
    kind: 'answers',
    said: {
      text: 'I write.',
      calls: [{ name: 'write_file', arguments: { file_path: 'a.md', content: 'a' } }],
    },
  })
  await ask(page, 'write it')
  await page.getByRole('region', { name: 'Approval' }).waitFor()
  await isStored(page)
  await page.reload()
  await page.locator('.row-text', { hasText: 'I write.' }).waitFor()
  await connect(page)
  server.next({ kind: 'answers', said: { text: 'It was not written.' } })
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.locator('.row-text', { hasText: 'It was not written.' }).waitFor()
  expect(server.faults()).toEqual([])
}, 60_000)

test('saves that wait for a script are made in their order', async () => {
  let load = () => {}
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  const { page } = await openPage({
    ...WIDE,
    prepare: (one) =>
      void one.route(/\/assets\/keeping-/, async (route) => {
        await loaded
        await route.continue()
      }),
  })
  await page.waitForSelector('#composer')
  await connect(page)
  server.next({ kind: 'answers', said: { text: 'The answer.' }, pause: 300 })
  await ask(page, 'why?')
  await page.locator('.row-text', { hasText: 'The answer.' }).waitFor()
  // The prompt is saved before the answer, and so is the answer.
  await page.waitForTimeout(500)
  load()
  await isStored(page)
  await page.reload()
  await page.locator('.row-text', { hasText: 'The answer.' }).waitFor()
}, 60_000)

test('a chat that exceeds the storage quota shows a notice, and is saved once there is room', async () => {
  const { page } = await openPage({ ...WIDE, path: '/viewer.html' })
  const session = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  await page.goto(`${origin}/`)
  await page.waitForSelector('#composer')
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  await say(page, 'run the long log')
  await page.locator('.notice', { hasText: 'could not be saved' }).waitFor()
  await session.send('Storage.overrideQuotaForOrigin', { origin })
  await say(page, 'list files')
  await isStored(page)
  await expect.poll(() => page.locator('.notice').count()).toBe(0)
  await page.reload()
  await expect.poll(() => said(page)).toEqual(['run the long log', 'list files'])
}, 60_000)

test('the text of the composer is kept over a reload, and no longer once it is sent', async () => {
  const page = await open()
  await page.fill('#composer', 'list\nfiles')
  await page.reload()
  await page.waitForSelector('#composer')
  await expect.poll(() => page.inputValue('#composer')).toBe('list\nfiles')
  await say(page, 'list files')
  await isStored(page)
  await page.reload()
  await expect.poll(() => said(page)).toEqual(['list files'])
  await expect.poll(() => page.inputValue('#composer')).toBe('')
}, 60_000)

test.each([390, 1280])(
  'a long title is stored whole, and cut off where it has no room: %i px',
  async (width) => {
    const { page } = await openPage({ width, height: 860, path: '/' })
    await page.waitForSelector('#composer')
    const title = 'list the files that say how an hour of summer time is added to the height of the water'
    await say(page, `${title.replace('files', 'files\n\n ')} `)
    await isStored(page)
    await page.reload()
    await expect.poll(() => page.textContent('.chat-title')).toBe(title)
    expect(await listed(page)).toEqual([title])
    const { height = 0 } = (await page.locator('.chat-title').boundingBox()) ?? {}
    expect(height).toBeLessThan(30)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  },
  60_000,
)
