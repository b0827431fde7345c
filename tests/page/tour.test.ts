// Everything that a visitor can do, one after the other in one page, with the mouse and with the keyboard alone.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { inspect } from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { tabTo } from './by-keyboard.js'
import { isStored, untilDone } from './talk.js'

// Without a network the browser reports what it cannot load.
const openPage = pages((complaint) =>
  /ERR_INTERNET_DISCONNECTED|Failed to fetch|unknown error occurred when fetching/.test(complaint),
)

/** Recorded sessions of real agents, if they are there. */
const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const SESSIONS = existsSync(DATA) ? readdirSync(DATA).filter((name) => !name.endsWith('.md')) : []

/** A visitor, who uses the mouse or only the keyboard. */
class Visitor {
  constructor(
    readonly page: Page,
    readonly isByKeyboard: boolean,
  ) {}

  async press(target: Locator): Promise<void> {
    if (!this.isByKeyboard) return target.click()
    await tabTo(this.page, target)
    await this.page.keyboard.press('Enter')
  }

  button(name: string): Promise<void> {
    return this.press(this.page.getByRole('button', { name, exact: true }).locator('visible=true').first())
  }

  async say(text: string): Promise<void> {
    const { page } = this
    await untilDone(page, async () => {
      if (this.isByKeyboard) {
        await tabTo(page, page.locator('#composer'))
        await page.keyboard.type(text)
      } else await page.fill('#composer', text)
      await page.keyboard.press('Enter')
    })
  }

  /** Opens the card of a call. */
  async card(text: string): Promise<Locator> {
    const card = this.page.locator('.card', { hasText: text }).last()
    if ((await card.getAttribute('open')) === null) await this.press(card.locator('summary').first())
    await card.locator('.card-body').waitFor()
    return card
  }

  /** Does something in the list of chats, which is a sheet on a narrow screen. */
  async inChats(act: () => Promise<void>): Promise<void> {
    const { page } = this
    const isSheet = await page.getByRole('button', { name: 'Chats', exact: true }).isVisible()
    if (isSheet) await this.button('Chats')
    await atRest(page.locator('.sheet-chats'))
    await act()
    if (isSheet && (await page.locator('.app[data-sheet="chats"]').count()))
      await page.keyboard.press('Escape')
    if (isSheet) await page.locator('.app[data-sheet="none"]').waitFor()
  }

  async inContext(act: () => Promise<void>): Promise<void> {
    const { page } = this
    const isSheet = await page.getByRole('button', { name: 'Chats', exact: true }).isVisible()
    if (isSheet) await this.press(page.locator('.ring'))
    await atRest(page.locator('.sheet-context'))
    await act()
    if (isSheet) await page.keyboard.press('Escape')
    if (isSheet) await page.locator('.app[data-sheet="none"]').waitFor()
  }

  /** Tokens of the last request. */
  async sent(): Promise<number> {
    const text = (await this.page.textContent('.context-sum b')) ?? ''
    return Number.parseFloat(text) * (text.endsWith('k') ? 1000 : 1)
  }
}

/** Waits until a sheet has moved into the window. */
const atRest = (sheet: Locator) =>
  sheet.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))

/** Opens a recorded session by the button for it. */
async function openFile(visitor: Visitor, path: string): Promise<void> {
  const chosen = visitor.page.waitForEvent('filechooser')
  await visitor.inChats(() => visitor.button('Open file…'))
  await (await chosen).setFiles(path)
}

async function replay(visitor: Visitor): Promise<void> {
  const { page } = visitor
  await page.getByRole('heading', { name: 'See what the model sees.' }).waitFor()
  await visitor.button('Play the sample session')
  await page.locator('.transport').waitFor()
  await page.selectOption('.speed select', '64')
  await page.waitForSelector('[aria-label="Play again"]')
  expect(await page.locator('.trim').count()).toBeGreaterThan(0)
  await visitor.button('Close')
  await page.locator('#composer').waitFor()
}

/** Has the agent work. Returns the reference of a result that was trimmed. */
async function trimAndUndo(visitor: Visitor): Promise<string> {
  const { page } = visitor
  await visitor.say('Fix the failing tests')
  await expect.poll(() => page.locator('.diff').first().textContent()).toContain('now.getTime() + offset')
  const trim = page.locator('.trim').last()
  await visitor.press(trim.getByText('See what'))
  await expect.poll(() => trim.textContent()).toMatch(/\[cleared, \d+ chars; recall [0-9a-f]+\]/)
  const log = trim.locator('li', { hasText: 'cat logs/build.log' })
  const reference = /recall ([0-9a-f]+)/.exec((await log.textContent()) ?? '')?.[1] ?? ''
  const before = await visitor.sent()
  await visitor.press(trim.getByText('Undo…'))
  await visitor.press(trim.getByText('Undo the trim'))
  await trim.getByText('sent in full from the next request on').waitFor()
  await visitor.say('list files')
  expect(await visitor.sent()).toBeGreaterThan(before + 10_000)
  await visitor.press(trim.getByText('Resume trimming'))
  await visitor.say('list files')
  expect(await visitor.sent()).toBeLessThan(before + 3000)
  return reference
}

async function readOnce(visitor: Visitor): Promise<void> {
  await visitor.say('Read src/stations.ts once')
  const once = await visitor.card('src/stations.ts')
  await expect.poll(() => once.locator('.card-body').textContent()).not.toContain('Stavanger')
}

async function pinAndExclude(visitor: Visitor): Promise<void> {
  const { page } = visitor
  await visitor.say('read src/app.ts')
  const pinned = await visitor.card('src/app.ts')
  await visitor.press(pinned.getByRole('button', { name: 'Pin', exact: true }))
  await expect.poll(() => pinned.locator('.call-mark').textContent()).toContain('pinned')
  await visitor.say('search dayOf')
  const excluded = await visitor.card('dayOf')
  await visitor.press(excluded.getByRole('button', { name: 'Exclude' }))
  await visitor.say('list files')
  const row = page.getByRole('region', { name: /^Excluded before request/ })
  await row.getByText('1 call taken out').waitFor()
  await expect.poll(() => pinned.getAttribute('data-trimmed')).toBe('false')
}

async function recall(visitor: Visitor, reference: string): Promise<void> {
  await visitor.say(`recall ${reference}`)
  const recalled = await visitor.card('recall')
  await expect.poll(() => recalled.locator('.card-body').textContent()).toContain('building for production')
}

async function changePolicy(visitor: Visitor): Promise<void> {
  const { page } = visitor
  await visitor.inContext(async () => {
    await visitor.button('Compare')
    await page.waitForSelector('[data-reason]')
    await page.locator('.comparison progress').waitFor({ state: 'detached' })
    await visitor.press(page.locator('tr[data-policy="rolling"] button'))
    await expect.poll(() => page.locator('[data-next]').textContent()).toMatch(/next request sends ~/)
    expect(await page.locator('.growth-preview').count()).toBe(1)
    await visitor.button('Apply')
    await expect.poll(() => page.inputValue('#policy')).toBe('rolling')
  })
  await visitor.say('list files')
}

async function forkFromThePast(visitor: Visitor): Promise<void> {
  const { page } = visitor
  await visitor.inContext(async () => {
    const previous = page.locator('.context').getByRole('button', { name: 'Previous request' })
    await visitor.press(previous)
    await visitor.press(previous)
  })
  await visitor.button('Fork here')
  await expect.poll(() => page.textContent('.chat-title')).toBe('Fork of Fix the failing tests')
  // The policy that was in force then.
  await expect.poll(() => page.inputValue('#policy')).toBe('cache-aware')
  await untilDone(page, () => visitor.button('Continue'))
}

async function reload(visitor: Visitor): Promise<void> {
  const before = await state(visitor)
  await visitor.page.reload()
  await visitor.page.waitForSelector('.row-user')
  await expect.poll(() => state(visitor)).toEqual(before)
}

/** What a reload must keep. */
async function state({ page }: Visitor) {
  await isStored(page)
  return {
    title: await page.textContent('.chat-title'),
    policy: await page.inputValue('#policy'),
    prompts: await page.locator('.row-user').allTextContents(),
    trims: await page.locator('.trim-head').allTextContents(),
    marks: await page.locator('.thread .call-mark').allTextContents(),
    sent: await page.textContent('.context-sum'),
    cost: await page.textContent('.cost'),
    files: await page.locator('.card-tool').allTextContents(),
  }
}

async function exportChat(visitor: Visitor): Promise<void> {
  const { page } = visitor
  const saved = page.waitForEvent('download')
  await visitor.inChats(async () => {
    await visitor.button('Export…')
    await visitor.button('Export')
    await saved
  })
  const { messages, format } = readTranscript(readFileSync(await (await saved).path(), 'utf8'))
  const tools = inspect(messages, { format }).blocks.flatMap(({ kind, tool }) =>
    kind === 'tool-call' ? tool : [],
  )
  expect(tools).toContain('edit_file')
  expect(tools).toContain('recall')
}

async function importSessions(visitor: Visitor): Promise<void> {
  const { page } = visitor
  // The mouse opens all of them at each width. The keyboard reaches the same button, whatever is chosen then.
  for (const name of visitor.isByKeyboard ? SESSIONS.slice(0, 1) : SESSIONS) {
    await openFile(visitor, DATA + name)
    await page.locator('.transport', { hasText: /Request \d+ of \d+/ }).waitFor({ timeout: 60_000 })
    await expect.poll(() => page.locator('.opening').count()).toBe(0)
    await expect.poll(() => page.locator('.row').count()).toBeGreaterThan(5)
    expect(await page.locator('.notice').allTextContents()).toEqual([])
    await visitor.button('Close')
    await page.locator('#composer').waitFor()
  }
}

async function withoutNetwork(visitor: Visitor): Promise<void> {
  const { page } = visitor
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.context().setOffline(true)
  try {
    await page.reload()
    await visitor.say('read src/tides.ts')
    await visitor.card('src/tides.ts')
  } finally {
    await page.context().setOffline(false)
  }
}

test.each([
  { width: 390, hand: 'the mouse' },
  { width: 1280, hand: 'the mouse' },
  { width: 2560, hand: 'the mouse' },
  { width: 390, hand: 'the keyboard' },
  { width: 1280, hand: 'the keyboard' },
  { width: 2560, hand: 'the keyboard' },
])(
  'the tour of the page works with $hand at $width px',
  async ({ width, hand }) => {
    const { page } = await openPage({ width, height: width === 2560 ? 1400 : 844, path: '/' })
    const visitor = new Visitor(page, hand === 'the keyboard')
    await page.waitForSelector('#composer')
    await replay(visitor)
    const reference = await trimAndUndo(visitor)
    await readOnce(visitor)
    await pinAndExclude(visitor)
    await recall(visitor, reference)
    await changePolicy(visitor)
    await reload(visitor)
    await forkFromThePast(visitor)
    await reload(visitor)
    await exportChat(visitor)
    await importSessions(visitor)
    await withoutNetwork(visitor)
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
  },
  300_000,
)
