// A question about a file change: no key and no click answers it that was meant for something else.
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { tabTo } from './by-keyboard.js'
import { chooseModel, isIdle, isStored, PROVIDERS } from './talk.js'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer()
})
afterEach(() => server.close())

const openPage = pages((complaint) => complaint.includes(server.origin))

/** Opens a chat with a model whose calls wait for approval. */
async function open(provider = PROVIDERS[0] as (typeof PROVIDERS)[number]): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  await chooseModel(page, server.origin, { provider, key: 'secret' })
  return page
}

const write = (path: string) => ({ name: 'write_file', arguments: { file_path: path, content: 'new' } })

const DONE = { kind: 'answers', said: { text: 'Done.' } } as const

const question = (page: Page) => page.getByRole('region', { name: 'Approval' })
const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true })

/** The results that the model was told last. */
const told = () => JSON.stringify(server.received.at(-1)?.body)

async function ask(page: Page): Promise<void> {
  await page.fill('#composer', 'write')
  await page.press('#composer', 'Enter')
}

describe('the focus', () => {
  test('stays in the message field while the user writes, and nothing is allowed', async () => {
    const page = await open()
    server.next({ kind: 'answers', said: { text: 'I write.', calls: [write('a.md')] }, pause: 400 })
    await ask(page)
    const text = 'what comes next, word by word'
    await page.type('#composer', text, { delay: 40 })
    await question(page).waitFor()
    await page.keyboard.type(' and more ')
    expect(await page.inputValue('#composer')).toBe(`${text} and more `)
    await page.keyboard.press('Enter')
    await page.waitForTimeout(200)
    expect(await allow(page).count()).toBe(1)
    expect(server.received).toHaveLength(1)
    await expect
      .poll(() => page.getByRole('status').allTextContents())
      .toContainEqual(expect.stringContaining('write_file wants to change a.md. Allow it?'))
  }, 60_000)

  test('goes to the question if it is in no field, and there Space and Enter allow nothing', async () => {
    const page = await open()
    server.next({ kind: 'answers', said: { text: 'I write.', calls: [write('a.md')] }, pause: 400 }, DONE)
    await page.fill('#composer', 'write')
    await page.getByRole('button', { name: 'Send' }).click()
    await question(page).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Approval')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.waitForTimeout(200)
    expect(await allow(page).count()).toBe(1)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await isIdle(page)
    expect(told()).toContain('a.md')
  }, 60_000)

  test('goes to the next question when a key has answered one', async () => {
    const page = await open()
    server.next({ kind: 'answers', said: { text: 'I write.', calls: [write('a.md'), write('b.md')] } })
    await ask(page)
    await tabTo(page, allow(page))
    await page.keyboard.press('Enter')
    await question(page).filter({ hasText: 'b.md' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Approval')
  }, 60_000)
})

test('the second click of a double click does not allow the next call', async () => {
  const page = await open()
  server.next({ kind: 'answers', said: { text: 'I write.', calls: [write('a.md'), write('b.md')] } }, DONE)
  await ask(page)
  const { x = 0, y = 0, width = 0, height = 0 } = (await allow(page).boundingBox()) ?? {}
  const place = [x + width / 2, y + height / 2] as const
  await page.mouse.click(...place)
  await question(page).filter({ hasText: 'b.md' }).waitFor()
  const again = await allow(page).boundingBox()
  await page.mouse.move((again?.x ?? 0) + 5, (again?.y ?? 0) + 5)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await page.waitForTimeout(200)
  expect(await question(page).textContent()).toContain('b.md')
  await allow(page).click()
  await isIdle(page)
}, 60_000)

describe('a call that was allowed has its result while the next one waits', () => {
  /** Allows the first of two calls. */
  async function half(provider: (typeof PROVIDERS)[number]): Promise<Page> {
    const page = await open(provider)
    server.next({ kind: 'answers', said: { text: 'I write.', calls: [write('a.md'), write('b.md')] } })
    await ask(page)
    await allow(page).click()
    await question(page).filter({ hasText: 'b.md' }).waitFor()
    await isStored(page)
    return page
  }

  /** Lets the model continue; checks what it is told of the calls. */
  async function goOn(page: Page): Promise<void> {
    server.next({ kind: 'answers', said: { text: 'Half of it.' } })
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.locator('.row-text', { hasText: 'Half of it.' }).waitFor()
    await isIdle(page)
    expect(server.faults()).toEqual([])
    expect(told().split(/interrupted before it had a result|stopped by the user/)).toHaveLength(2)
  }

  test.each(PROVIDERS)(
    'also after a reload: %s',
    async (provider) => {
      const page = await half(provider)
      await page.reload()
      await page.locator('.row-text', { hasText: 'I write.' }).waitFor()
      await chooseModel(page, server.origin, { provider, key: 'secret' })
      await goOn(page)
    },
    60_000,
  )

  test('also after another chat was opened', async () => {
    const page = await half(PROVIDERS[1])
    await page.click('text=New chat')
    await expect.poll(() => page.locator('.row-user').count()).toBe(0)
    await page.click('.session-button')
    await page.locator('.row-text', { hasText: 'I write.' }).waitFor()
    await goOn(page)
  }, 60_000)
})
