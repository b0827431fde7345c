// Pictures of each state of the chat. Each test brings the page into a state as a user does and waits for the
// visible result.
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { dropFile, pages } from '../page/browser.js'
import { longSession } from '../page/sessions.js'
import { isIdle, say } from '../page/talk.js'
import { type Shot, shotsOf, take } from './camera.js'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer()
})
afterEach(() => server.close())

// Some pictures need endpoints that refuse requests.
const openPage = pages(() => true)

interface State {
  readonly width?: number
  readonly colorScheme?: Shot['colorScheme']
}

/** Takes one state once `reach` has finished. */
function state(
  name: string,
  { width = 1280, colorScheme = 'light' }: State,
  reach: (page: Page) => Promise<void>,
) {
  for (const shot of shotsOf(width, colorScheme))
    test(`${name} at ${shot.width}`, async () => {
      const { page } = await openPage({ ...shot, path: '/' })
      await page.emulateMedia({ colorScheme: shot.colorScheme, reducedMotion: 'reduce' })
      await page.waitForSelector('#composer')
      await reach(page)
      await take(page, name, shot, new URL(server.origin).host)
    })
}

/** Opens the panel, which is a sheet on a narrow screen. */
async function openContext(page: Page): Promise<void> {
  if (!(await page.locator('.context').isVisible())) await page.click('.ring')
  await page.locator('.context').waitFor()
}

async function openChats(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Chats', exact: true })
  if (await button.isVisible()) await button.click()
  await page.locator('.sidebar').waitFor()
}

async function closeSheet(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('.app[data-sheet="none"]').waitFor()
}

const inView = (found: Locator) => found.evaluate((one) => one.scrollIntoView({ block: 'center' }))

async function openCard(page: Page, text: string): Promise<Locator> {
  const card = page.locator('.card', { hasText: text }).last()
  await card.locator('summary').first().click()
  await card.locator('.card-body').waitFor()
  await expect.poll(() => card.locator('.card-body').textContent()).not.toBe('')
  return card
}

async function fixed(page: Page): Promise<void> {
  await page.click('text=Fix the failing tests')
  await page.waitForSelector('.working')
  await isIdle(page)
}

async function playSample(page: Page): Promise<void> {
  await page.click('text=Play the sample session')
  await page.selectOption('.speed select', '64')
  await page.waitForSelector('[aria-label="Play again"]')
  await page.locator('.flash').waitFor({ state: 'detached' })
}

async function connect(page: Page, provider = 'OpenAI-compatible'): Promise<void> {
  await page.click('.model-button')
  await page.getByRole('button', { name: provider, exact: true }).click()
  await page.fill('[name="address"]', `${server.origin}/v1`)
  await page.fill('[name="model"]', 'small-1')
  await page.fill('[name="key"]', 'sk-secret')
  await page.click('text=Use this model')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
}

async function ask(page: Page, text: string): Promise<void> {
  await page.fill('#composer', text)
  await page.press('#composer', 'Enter')
}

state('first-visit', {}, async () => {})

state('replay', {}, async (page) => {
  await page.click('text=Play the sample session')
  await page.click('[aria-label="Pause"]')
  const at = async () => Number(/Request (\d+) of/.exec((await page.textContent('.transport')) ?? '')?.[1])
  while ((await at()) < 21) {
    const before = await at()
    await page.click('[aria-label="Step one request"]')
    await expect.poll(at).toBeGreaterThan(before)
  }
})

state('streaming', { colorScheme: 'dark' }, async (page) => {
  server.next(
    {
      kind: 'answers',
      said: {
        reasoning: 'The test names two functions. I read where they are made before I judge.',
        text: 'I look at the zone first.',
        calls: [{ name: 'read_file', arguments: { file_paths: ['src/zone.ts'] } }],
      },
    },
    {
      kind: 'waits',
      said: {
        reasoning: 'The offset is taken away where it must be added.',
        text: '## What is wrong\n\n`dayOf` takes the offset of the zone **away**:\n\n```ts\nnew Date(now.getTime() - offset)\n```\n\n| zone | expected | got |\n| --- | --- | --- |\n| UTC+2 | 1 May | 30 April |\n\nSo the day is',
      },
    },
  )
  await connect(page)
  await ask(page, 'Why does the day come out wrong east of Greenwich?')
  await page.locator('.live', { hasText: 'So the day is' }).waitFor()
})

state('shell', {}, async (page) => {
  await say(page, 'run cat logs/test.log')
  await inView(await openCard(page, 'cat logs/test.log'))
})

state('read', {}, async (page) => {
  await say(page, 'read src/tides.ts')
  await inView(await openCard(page, 'src/tides.ts'))
})

state('structure', {}, async (page) => {
  await say(page, 'read src/tides.ts')
  const card = await openCard(page, 'src/tides.ts')
  await card.getByRole('button', { name: 'Structure', exact: true }).click()
  await card.locator('.unfold').first().waitFor()
  await inView(card)
})

state('edit', { width: 390 }, async (page) => {
  await say(page, 'rename nextHighWater to nextHigh in src/app.ts')
  await page.locator('.diff').first().waitFor()
})

state('cards', {}, async (page) => {
  await say(page, 'search dayOf')
  await openCard(page, 'dayOf')
  await say(page, 'read package.json')
  await openCard(page, 'package.json')
  await say(page, 'read src/none.ts')
  await openCard(page, 'src/none.ts')
})

state('approval', {}, async (page) => {
  await say(page, 'list files')
  await page.getByLabel('Ask before changing files').check()
  await ask(page, 'write notes.md: The offset is added now.')
  await page.getByRole('region', { name: 'Approval' }).waitFor()
})

state('branch', {}, async (page) => {
  await say(page, 'write notes.md: first')
  await page.locator('.user-line').last().hover()
  await page.getByRole('button', { name: 'Edit and branch' }).last().click()
})

state('trim', {}, async (page) => {
  await fixed(page)
  const trim = page.locator('.trim').last()
  await trim.getByText('See what').click()
  await expect.poll(() => trim.textContent()).toMatch(/\[cleared/)
  await inView(trim)
})

state('trim-undo', { width: 390, colorScheme: 'dark' }, async (page) => {
  await fixed(page)
  const trim = page.locator('.trim').last()
  await trim.getByText('Undo…').click()
  await expect.poll(() => trim.textContent()).toMatch(/tokens more/)
  await inView(trim)
})

state('context', { colorScheme: 'dark' }, async (page) => {
  await fixed(page)
  await openContext(page)
  const block = page.locator('.block-item[data-trimmed="true"]').first()
  await block.locator('summary').click()
  await block.locator('.call-actions').waitFor()
  await page.locator('.blocks').evaluate((one) => one.scrollIntoView({ block: 'start' }))
})

state('excluded', { width: 390 }, async (page) => {
  await say(page, 'run the long log')
  await say(page, 'list files')
  const card = await openCard(page, 'shell')
  await card.getByRole('button', { name: 'Exclude' }).click()
  await card.getByText('Out of every request from the next one on').waitFor()
  await say(page, 'list files')
  await page.getByRole('region', { name: /Excluded before request/ }).waitFor()
  await inView(page.locator('.trim').last())
})

state('past', {}, async (page) => {
  await playSample(page)
  await openContext(page)
  await page.locator('.context .stepper input').fill('14')
  await page.locator('.stepper', { hasText: 'Request 14 of' }).locator('visible=true').first().waitFor()
  if (await page.locator('.veil').count()) await closeSheet(page)
  await page.getByRole('button', { name: 'Fork here' }).waitFor()
})

/** Compares the policies of the sample and selects rolling context. */
async function lookAtRolling(page: Page): Promise<void> {
  await playSample(page)
  await openContext(page)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.waitForSelector('[data-reason]')
  await page.waitForSelector('.comparison progress', { state: 'detached' })
  await page.locator('tr[data-policy="rolling"]').click()
}

state('policies', {}, async (page) => {
  await lookAtRolling(page)
  await page.locator('[data-next]').waitFor()
  await page.locator('.comparison').evaluate((one) => one.scrollIntoView({ block: 'start' }))
})

state('lost', {}, async (page) => {
  await lookAtRolling(page)
  const lost = page.getByRole('region', { name: 'Evidence lost' })
  await lost.locator('li').first().getByRole('button', { name: 'Show the original' }).click()
  await page.locator('.is-found').waitFor()
  await lost.evaluate((one) => one.scrollIntoView({ block: 'center' }))
})

state('over', { width: 390 }, async (page) => {
  await page.click('.model-button')
  await page.getByRole('button', { name: 'OpenAI-compatible', exact: true }).click()
  await page.fill('[name="address"]', `${server.origin}/v1`)
  await page.fill('[name="model"]', 'small-1')
  await page.fill('[name="window"]', '1024')
  await page.click('text=Use this model')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
  server.next({ kind: 'refuses', status: 400, message: 'the context is longer than 1,024 tokens' })
  await ask(
    page,
    `What do these say?\n${'A line of a log that says little, and says it at length.\n'.repeat(120)}`,
  )
  await page.locator('.failure').waitFor()
  await openContext(page)
  await page.locator('.over-window').waitFor()
})

state('connection', {}, async (page) => {
  await page.click('.model-button')
  await page.getByRole('button', { name: 'Anthropic', exact: true }).click()
  await page.click('text=Use this model')
  await page.locator('.dialog-problem').waitFor()
})

state('in-page', { width: 390, colorScheme: 'dark' }, async (page) => {
  await page.click('.model-button')
  await page.getByRole('button', { name: 'In this page', exact: true }).click()
})

state('refused', {}, async (page) => {
  server.next({ kind: 'refuses', status: 401, message: 'invalid x-api-key' })
  await connect(page)
  await ask(page, 'what is in src/zone.ts?')
  await page.locator('.failure').waitFor()
})

state('limited', { width: 390 }, async (page) => {
  server.next({ kind: 'refuses', status: 429, message: 'slow down', retryAfter: 7 })
  await connect(page)
  await ask(page, 'what is in src/zone.ts?')
  await page.locator('.failure').waitFor()
})

state('broken-off', {}, async (page) => {
  server.next({ kind: 'breaks off', said: { text: 'The zone module turns a moment into a day of the' } })
  await connect(page)
  await ask(page, 'what is in src/zone.ts?')
  await page.locator('.failure').waitFor()
})

state('unreachable', {}, async (page) => {
  await connect(page)
  await server.close()
  await ask(page, 'what is in src/zone.ts?')
  await page.locator('.failure').waitFor()
})

state('chats', {}, async (page) => {
  for (const text of [
    'list files',
    'search dayOf',
    'read src/app.ts',
    'read src/zone.ts',
    'Run the long log',
    'write notes.md: kept',
  ]) {
    await openChats(page)
    await page.getByRole('button', { name: 'New chat' }).click()
    await say(page, text)
    await expect.poll(() => page.locator('.session-button', { hasText: text }).count()).toBe(1)
  }
  await openChats(page)
  await page.fill('[aria-label="Search chats"]', 'zone')
  await page.locator('.found-place').first().waitFor()
  await page.locator('.found-state', { hasText: 'Searching' }).waitFor({ state: 'detached' })
})

state('long', {}, async (page) => {
  await dropFile(page, 'long.json', longSession(3333))
  await page.locator('.transport', { hasText: 'Request 3333 of 3333' }).waitFor({ timeout: 100_000 })
  await page.locator('.thread').evaluate((area) => {
    area.scrollTop = area.scrollHeight / 2
  })
  await expect.poll(() => page.locator('.row-user').first().textContent()).not.toContain('Request 33')
})

state('unreadable', { width: 390 }, async (page) => {
  await dropFile(page, 'notes.txt', 'no session at all')
  await page.locator('.notice').waitFor()
})
