import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { longSession } from './sessions.js'
import { say } from './talk.js'

const openPage = pages()

async function open(width = 1280): Promise<Page> {
  const { page } = await openPage({ width, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  return page
}

/** Drags files over the page and drops them on the element that the selector matches, once the zones are shown. */
async function drag(page: Page, files: readonly (readonly [name: string, text: string])[], zone: string) {
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer()
    for (const [name, text] of given) data.items.add(new File([text], name))
    return data
  }, files)
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer })
  await page.locator('.drop-zones').waitFor()
  await page.dispatchEvent(zone, 'dragover', { dataTransfer: transfer })
  await expect.poll(() => page.getAttribute(zone, 'data-over')).toBe('true')
  await page.dispatchEvent(zone, 'drop', { dataTransfer: transfer })
  await page.locator('.drop-zones').waitFor({ state: 'detached' })
}

const CHAT = '[data-drop="chat"]'

test('files dropped on the chat can be read by its agent, and get a new name if theirs is taken', async () => {
  const page = await open()
  await drag(page, [['notes.md', 'first of all\n']], CHAT)
  await expect.poll(() => page.inputValue('#composer')).toBe('read notes.md')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('composer')
  await say(page, await page.inputValue('#composer'))
  await page.locator('.card summary').first().click()
  await expect.poll(() => page.textContent('.card')).toContain('first of all')

  await page.fill('#composer', 'compare')
  await drag(
    page,
    [
      ['notes.md', 'another one\n'],
      ['Makefile', 'all:\n'],
      ['Makefile', 'none:\n'],
    ],
    CHAT,
  )
  await expect.poll(() => page.inputValue('#composer')).toBe('compare notes-2.md Makefile Makefile-2')
  await page.fill('#composer', '')
  await say(page, 'read notes.md')
  await say(page, 'read notes-2.md')
  await page.locator('.card summary').last().click()
  await expect.poll(() => page.locator('.card').last().textContent()).toContain('another one')
})

test('the button Add files adds several files at once', async () => {
  const page = await open(390)
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add files' }).click()
  await (await choosing).setFiles(
    ['one.txt', 'two.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })),
  )
  await expect.poll(() => page.inputValue('#composer')).toBe('list files')
  await say(page, 'list files')
  await page.locator('.card summary').first().click()
  await expect.poll(() => page.textContent('.card')).toMatch(/one\.txt[\s\S]*two\.txt/)
})

test('of several dropped sessions the page opens the first, and a notice says so', async () => {
  const page = await open()
  const sessions = ['a.json', 'b.json'].map((name) => [name, longSession(4)] as const)
  await drag(page, sessions, '[data-drop="session"]')
  await page.waitForSelector('[aria-label="Play from the start"]')
  await expect.poll(() => page.textContent('.notice')).toContain('of 2 files this is a.json')
})

test('while a file is dragged over a recorded session, only one drop zone is shown', async () => {
  const page = await open()
  await drag(page, [['a.json', longSession(4)]], '[data-drop="session"]')
  await page.waitForSelector('[aria-label="Play from the start"]')
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'x.txt'))
    document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true }))
  })
  await page.locator('.drop-zones').waitFor()
  expect(await page.locator('.drop-zone').count()).toBe(1)
  // The pointer leaves the window.
  await page.evaluate(() =>
    document.body.dispatchEvent(new DragEvent('dragleave', { relatedTarget: null, bubbles: true })),
  )
  await page.locator('.drop-zones').waitFor({ state: 'detached' })
})

test('the copy buttons copy the source text of an answer and of its code block', async () => {
  const page = await open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const text = 'So:\n\n```ts\nconst a = `<b>` && 1\n```\n\n**Done.**'
  const session = JSON.stringify([
    { role: 'user', content: 'show me' },
    { role: 'assistant', content: text },
  ])
  await drag(page, [['a.json', session]], '[data-drop="session"]')
  await page.waitForSelector('.prose pre')
  await page.locator('.row-text').hover()
  await page.getByRole('button', { name: 'Copy the answer' }).click()
  await expect.poll(clipboard).toBe(text)
  await page.locator('.code').hover()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(clipboard).toBe('const a = `<b>` && 1\n')
  await expect.poll(() => page.textContent('.copy-code')).toBe('Copied')
  await expect.poll(() => page.textContent('.copy-code')).toBe('Copy')
})

test('at a zoom of 400 % a focused control of the composer is in view', async () => {
  const { page } = await openPage({ width: 320, height: 200, path: '/' })
  await page.waitForSelector('#composer')
  await page.getByLabel('Ask before changing files').focus()
  const inView = await page.evaluate(() => {
    const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? { top: -1, bottom: -1 }
    return top >= 0 && bottom <= innerHeight
  })
  expect(inView).toBe(true)
  await page.focus('#composer')
  await expect.poll(() => page.locator('#composer').isVisible()).toBe(true)
})
