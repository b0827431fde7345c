import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { type OpenPage, pages } from './browser.js'
import { chooseModel, isStored, PROVIDERS, type Provider } from './talk.js'

let server: ModelServer
let elsewhere: ModelServer

beforeEach(async () => {
  server = await startModelServer()
  elsewhere = await startModelServer()
})

// No requests to other servers, and none that a provider rejects.
afterEach(async () => {
  expect(server.faults()).toEqual([])
  expect(elsewhere.received).toEqual([])
  await Promise.all([server.close(), elsewhere.close()])
})

// The browser logs messages about the endpoint. Registered here, so that its hooks run before the servers are closed.
const openPage = pages((complaint) => complaint.includes(server.origin))

const KEY = 'sk-secret-1234'

async function openChat(width = 1280): Promise<OpenPage> {
  const one = await openPage({ width, height: 860, path: '/' })
  await one.page.waitForSelector('#composer')
  return one
}

const open = async (width?: number): Promise<Page> => (await openChat(width)).page

const connect = (page: Page, provider: Provider, keep = false) =>
  chooseModel(page, server.origin, { provider, key: KEY, keep })

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.working')
}

const idle = (page: Page) => page.waitForFunction(() => document.querySelector('.working') === null)

test.each(PROVIDERS)('a model of the provider %s works with the tools in the page', async (provider) => {
  server.next(
    {
      kind: 'answers',
      said: {
        reasoning: 'The file first.',
        text: 'I read it.',
        calls: [{ name: 'read_file', arguments: { file_paths: ['src/zone.ts'] } }],
        signature: 'c2lnbmVk',
      },
      pause: 20,
    },
    { kind: 'answers', said: { text: 'It holds **two** functions.' }, pause: 20 },
    { kind: 'answers', said: { text: 'Once more: two.' }, pause: 20 },
  )
  const page = await open()
  await connect(page, provider)
  await expect.poll(() => page.textContent('.model-button')).toContain('small-1')
  await expect.poll(() => page.textContent('.composer-hint')).toContain(new URL(server.origin).host)
  await say(page, 'what is in src/zone.ts?')
  await idle(page)
  await expect.poll(() => page.locator('.prose strong').last().textContent()).toBe('two')
  await expect.poll(() => page.locator('.card').textContent()).toContain('read_file')
  expect(server.received).toHaveLength(2)
  expect(server.received[1]?.headers.referer).toBeUndefined()
  expect(server.received[1]?.headers.cookie).toBeUndefined()
  // The chat has the format of its model, so that no conversion loses a signature, in later turns either.
  await say(page, 'how many?')
  await idle(page)
  await page.waitForSelector('.row-text >> text=Once more')
  const signatures = { 'OpenAI-compatible': null, Anthropic: 'signature', Gemini: 'thoughtSignature' }
  const signature = signatures[provider]
  const last = JSON.stringify(server.received[2]?.body)
  if (signature !== null) expect(last).toContain(`"${signature}":"c2lnbmVk"`)
})

test('an answer can be stopped, and Try again repeats a request after a rate limit or a broken connection', async () => {
  const page = await open()
  await connect(page, 'OpenAI-compatible')
  server.next({ kind: 'waits', said: { text: 'one two three four five six seven eight nine ten' } })
  await say(page, 'count')
  await page.waitForSelector('.live .prose')
  await page.click('[aria-label="Stop"]')
  await idle(page)
  await expect.poll(() => page.textContent('.rows')).toContain('Stopped')
  await expect.poll(() => server.received.at(-1)?.isAborted).toBe(true)

  server.next({ kind: 'refuses', status: 429, message: 'slow down', retryAfter: 7 })
  await page.fill('#composer', 'go on')
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.failure')
  await expect
    .poll(() => page.textContent('.failure'))
    .toContain('limits how often it may be asked (429). It asks to wait 7 seconds.')
  const button = page.locator('.failure button', { hasText: 'Try again' })
  await expect.poll(() => button.textContent()).toMatch(/in [56] s/)
  expect(await button.getAttribute('disabled')).toBeNull()

  server.next({ kind: 'breaks off', said: { text: 'Half an answer' } })
  await page.click('text=Try again')
  await page.waitForSelector('.failure >> text=broke off')
  await page.locator('.live', { hasText: 'Half' }).waitFor()

  server.next({ kind: 'answers', said: { text: 'A whole answer.' } })
  await page.click('text=Try again')
  await page.waitForSelector('.row-text >> text=A whole answer.')
  expect(await page.locator('.failure').count()).toBe(0)
}, 60_000)

test('a refused key can be changed where the page says so', async () => {
  const page = await open()
  await connect(page, 'OpenAI-compatible')
  server.next({ kind: 'refuses', status: 401, message: 'no such key' })
  await say(page, 'hello')
  await page.waitForSelector('.failure >> text=does not accept the key (401)')
  await page.click('.failure >> text=Change the model')
  await page.fill('dialog[open] input[name="key"]', 'another-key')
  await page.click('dialog[open] button[type="submit"]')
  server.next({ kind: 'answers', said: { text: 'Hello.' } })
  await page.click('text=Try again')
  await page.waitForSelector('.row-text >> text=Hello.')
  expect(await page.locator('.failure').count()).toBe(0)
  expect(server.received.at(-1)?.headers.authorization).toBe('Bearer another-key')
}, 60_000)

test('an answer that is written from right to left is shown so, with its code from left to right', async () => {
  const page = await open()
  await connect(page, 'OpenAI-compatible')
  server.next({
    kind: 'answers',
    said: { text: '`src/zone.ts` מגדיר שתי פונקציות:\n\n- `dayOf` מחזירה את היום\n\nIn English.' },
  })
  await say(page, 'מה יש בקובץ?')
  await idle(page)
  await page.waitForSelector('.prose ul')
  const directions = await page
    .locator('.prose')
    .locator('p, ul, code')
    .evaluateAll((all) => all.map((one) => `${one.localName} ${getComputedStyle(one).direction}`))
  expect(directions).toEqual(['p rtl', 'code ltr', 'ul rtl', 'code ltr', 'p ltr'])
  expect(await page.locator('.chat-title').evaluate((one) => getComputedStyle(one).direction)).toBe('rtl')
})

test('only the endpoint of the model can be requested, and only from its frame', async () => {
  const { page, complaints } = await openChat()
  await connect(page, 'OpenAI-compatible')
  await say(page, 'hello')
  await idle(page)
  const tried = await page.evaluate(
    async ([there, elsewhere]) => {
      const frame = document.querySelector('iframe')?.contentWindow as
        | (Window & typeof globalThis)
        | undefined
      const asks = async (ask: typeof fetch | undefined, url: string) => {
        try {
          await ask?.(url, { method: 'POST', body: '{"messages":[]}' })
          return 'answered'
        } catch {
          return 'refused'
        }
      }
      return [
        await asks((...args) => fetch(...args), there),
        await asks((...args) => fetch(...args), elsewhere),
        await asks(frame?.fetch.bind(frame), elsewhere),
        await asks(frame?.fetch.bind(frame), there),
      ]
    },
    [`${server.origin}/v1/chat/completions`, `${elsewhere.origin}/v1/chat/completions`] as const,
  )
  expect(tried).toEqual(['refused', 'refused', 'refused', 'answered'])
  // The browser reports the three refusals.
  const reported = complaints.filter((complaint) => complaint.includes('Content Security Policy'))
  expect(reported.length).toBeGreaterThanOrEqual(3)
  complaints.length = 0
})

test('the API key is stored only if the user chooses so, and switching to the script removes it', async () => {
  const stored = (page: Page) => page.evaluate(() => JSON.stringify(localStorage))
  const page = await open()
  await connect(page, 'Anthropic')
  await say(page, 'hello')
  await idle(page)
  await page.waitForSelector('.row-text')
  await isStored(page)
  expect(await stored(page)).not.toContain(KEY)
  await page.reload()
  await page.waitForSelector('.row-text')
  await expect.poll(() => page.textContent('.model-button')).toContain('Script')

  await connect(page, 'Anthropic', true)
  expect(await stored(page)).toContain(KEY)
  await page.reload()
  await page.waitForSelector('.row-text')
  await expect.poll(() => page.textContent('.model-button')).toContain('small-1')
  await say(page, 'and again')
  await idle(page)
  expect(server.received.at(-1)?.headers['x-api-key']).toBe(KEY)

  await page.click('.model-button')
  await page.getByRole('button', { name: 'Script', exact: true }).click()
  await page.click('text=Use the script')
  expect(await stored(page)).not.toContain(KEY)
  await expect.poll(() => page.textContent('.composer-hint')).toContain('No key, no network')
}, 60_000)

test('the system prompt and the tools are in the figures, and count against the window', async () => {
  const page = await open()
  await chooseModel(page, server.origin, { window: 8000 })
  const ring = page.locator('.ring')
  expect(await ring.getAttribute('aria-label')).toContain('Context: 0 of')
  // Slow enough to be seen at work.
  const answer = { kind: 'answers' as const, said: { text: 'Well said.' }, pause: 100 }
  server.next(answer, answer)
  await say(page, 'hello')
  await idle(page)
  await expect.poll(() => ring.getAttribute('aria-label')).toMatch(/^Context: [2-4](\.\d)?k of 8k tokens/)
  await expect.poll(() => page.textContent('.composer .next-size')).toMatch(/next ~[2-4](\.\d)?k/)
  await expect.poll(() => page.textContent('.kinds')).toContain('System and tools')
  expect(await page.locator('.over-window').count()).toBe(0)
  // Less than the window by itself.
  await say(page, 'lorem ipsum dolor '.repeat(1400))
  await idle(page)
  await page.locator('.over-window').waitFor()
  expect(await ring.getAttribute('data-over')).toBe('true')
}, 60_000)

test('a key is not sent to another address than it was entered for', async () => {
  const other = await startModelServer()
  const { page, complaints } = await openChat()
  await connect(page, 'OpenAI-compatible')
  const field = (name: string) => page.locator(`dialog[open] input[name="${name}"]`)
  await page.click('.model-button')
  await field('address').fill(`${server.origin}/v2`)
  expect(await field('key').inputValue()).toBe(KEY)
  await field('address').fill(`${other.origin}/v1`)
  expect(await field('key').inputValue()).toBe('')
  const { host } = new URL(server.origin)
  await expect
    .poll(() => page.textContent('dialog[open] [role="status"]'))
    .toBe(`The key of ${host} is not sent to another address. Enter the key of this one, if it needs one.`)
  await page.click('dialog[open] button[type="submit"]')
  await say(page, 'hello')
  await idle(page)
  await page.waitForSelector('.row-text')
  expect(other.received).toHaveLength(1)
  expect(JSON.stringify(other.received[0]?.headers)).not.toContain(KEY)
  // The browser logs messages about this endpoint, too.
  for (const complaint of complaints.splice(0))
    expect(complaint).toMatch(new RegExp(`${server.origin}|${other.origin}`))
  await other.close()
})

test('the model dialog shows an error for a missing name, and closes with Escape', async () => {
  const page = await open(390)
  await page.click('.model-button')
  await page.getByRole('button', { name: 'OpenAI-compatible' }).click()
  await page.click('text=Use this model')
  await expect.poll(() => page.textContent('[role="alert"]')).toBe('Which model? Give its name.')
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('model-button')
})
