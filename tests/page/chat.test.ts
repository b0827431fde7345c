import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { dropFile, type OpenOptions, pages } from './browser.js'
import { isIdle, isStored, say, untilDone } from './talk.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const openPage = pages()

async function open(options: OpenOptions = {}): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/', ...options })
  await page.waitForSelector('#composer')
  return page
}

interface AxeResult {
  violations: { id: string; nodes: { target: string[] }[] }[]
}

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

async function openAll(page: Page, selector: string): Promise<void> {
  await page.evaluate((folds) => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>(folds)) fold.open = true
  }, selector)
  await page.waitForTimeout(200)
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe('a chat with the scripted agent', () => {
  test('fixes an error, and shows, explains and undoes a trim', async () => {
    const page = await open()
    await untilDone(page, () => page.click('text=Fix the failing tests'))
    await expect.poll(() => page.textContent('.chat-title')).toBe('Fix the failing tests')
    const diff = page.locator('.diff').first()
    await expect.poll(() => diff.textContent()).toContain('now.getTime() + offset')

    const trim = page.locator('.trim').last()
    await expect
      .poll(() => trim.textContent())
      .toMatch(/Trimmed before request \d+: [\d.]+k → [\d.]+k? tokens/)
    await trim.getByText('See what').click()
    await expect.poll(() => trim.textContent()).toContain('shell cat logs/build.log')
    await expect.poll(() => trim.textContent()).toMatch(/\[cleared, \d+ chars; recall [0-9a-f]+\]/)
    await trim.getByText('Why').click()
    await expect.poll(() => trim.textContent()).toContain('the model has seen it')

    const sum = async () => (await page.textContent('.context-sum b')) ?? ''
    const before = Number.parseFloat(await sum())
    await trim.getByText('Undo…').click()
    await expect.poll(() => trim.textContent()).toMatch(/sends ~[\d.]+k tokens more/)
    await trim.getByText('Undo the trim').click()
    await trim.getByText('sent in full from the next request on').waitFor()
    await say(page, 'list files')
    expect(Number.parseFloat(await sum())).toBeGreaterThan(before + 10)
    await trim.getByText('Resume trimming').click()
    await say(page, 'list files')
    expect(Number.parseFloat(await sum())).toBeLessThan(before + 3)
  })

  test('removes the content of an ephemeral read after its turn', async () => {
    const page = await open()
    await say(page, 'Read src/stations.ts once')
    await page.click('.card summary')
    await expect.poll(() => page.textContent('.card-body')).not.toContain('Stavanger')
  })

  test('stops when Stop is clicked, and answers the next message', async () => {
    const page = await open()
    await page.fill('#composer', 'Fix the failing tests')
    await page.press('#composer', 'Enter')
    await page.waitForSelector('.live')
    await page.click('[aria-label="Stop"]')
    await isIdle(page)
    await expect.poll(() => page.textContent('.rows')).toContain('Stopped')
    await say(page, 'list files')
    await expect.poll(() => page.textContent('.rows')).toContain('Those are the files.')
  })

  test('shows terminal output in colour, without escape sequences', async () => {
    const page = await open()
    await say(page, 'run cat logs/test.log')
    await page.click('.card summary')
    await expect.poll(() => page.locator('.terminal .ansi-red').count()).toBeGreaterThan(1)
    expect(await page.textContent('.terminal')).not.toContain('[31m')

    await say(page, 'read logs/test.log')
    await page.locator('.card summary').last().click()
    await expect.poll(() => page.locator('.lines .ansi-red').count()).toBeGreaterThan(1)
    expect(await page.textContent('.lines')).not.toContain('[31m')
  })

  test('shows search results and results of other tools in colour, without escape sequences', async () => {
    const page = await open()
    const call = (id: string, name: string, content: string) => [
      { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }] },
      { role: 'tool', tool_call_id: id, content },
    ]
    const hit = (path: string, line: number, text: string) =>
      `\u001b[35m${path}\u001b[0m:\u001b[32m${line}\u001b[0m:const \u001b[1m\u001b[31m${text}\u001b[0m = 1`
    const messages = [
      { role: 'user', content: 'look' },
      ...call('c1', 'Grep', `${hit('src/a.ts', 3, 'day')}\n${hit('src/a.ts', 9, 'week')}\u0007\u0000\n`),
      ...call('c2', 'run_tests', '\u001b[31mone failed\u001b[39m'),
    ]
    await dropFile(page, 'colours.json', JSON.stringify(messages))
    await page.waitForSelector('.card, .group-head')
    const group = page.locator('.group-head[aria-expanded="false"]')
    if (await group.count()) await group.click()
    await openAll(page, '.card')
    const [search, other] = [page.locator('.card').first(), page.locator('.card').last()]
    await expect.poll(() => search.locator('.hit-path').allTextContents()).toEqual(['src/a.ts'])
    expect(await search.locator('.line').allTextContents()).toEqual([
      'const day = 1\n',
      'const week = 1\n',
      '\n',
    ])
    await expect.poll(() => search.locator('.line').first().getAttribute('data-number')).toBe('3')
    expect(await search.locator('.ansi-red').allTextContents()).toEqual(['day', 'week'])
    await expect.poll(() => other.locator('.ansi-red').textContent()).toBe('one failed')
    const said = (await page.textContent('.rows')) ?? ''
    expect(['\u001b', '\u0007', '\u0000', '[31m'].filter((one) => said.includes(one))).toEqual([])
  })
})

describe('pins and branches in a chat', () => {
  test('Restore and pin states its price, and sends a trimmed result again, also after a reload, until it is unpinned', async () => {
    const page = await open()
    await untilDone(page, () => page.click('text=Fix the failing tests'))
    const sum = async () => Number.parseFloat((await page.textContent('.context-sum b')) ?? '')
    const log = page.locator('.card', { hasText: 'cat logs/build.log' })
    await expect.poll(() => log.getAttribute('data-trimmed')).toBe('true')
    const before = await sum()
    await log.locator('summary').click()
    await expect.poll(() => log.textContent()).toMatch(/~15\.1k tokens more/)
    await log.getByRole('button', { name: 'Restore and pin' }).click()
    await log.getByText('Sent again from the next request on').waitFor()
    await say(page, 'list files')
    await expect.poll(() => log.getAttribute('data-trimmed')).toBe('false')
    expect(await sum()).toBeGreaterThan(before + 14)
    await isStored(page)
    await page.reload()
    await page.waitForSelector('.card')
    expect(await log.locator('.call-mark').count()).toBe(1)
    await say(page, 'list files')
    expect(await sum()).toBeGreaterThan(before + 14)
    await log.locator('summary').click()
    await log.getByRole('button', { name: 'Unpin' }).click()
    await log.getByRole('button', { name: 'Pin', exact: true }).waitFor()
    await say(page, 'list files')
    await say(page, 'list files')
    expect(await sum()).toBeLessThan(before + 5)
  }, 60_000)

  test('Edit and branch makes a new chat, and keeps the original', async () => {
    const page = await open()
    await say(page, 'write notes.md: first')
    await say(page, 'read notes.md')
    await page.locator('.user-line').last().hover()
    await page.getByRole('button', { name: 'Edit and branch' }).last().click()
    await page.fill('[aria-label="Edit message"]', 'write notes.md: second')
    await untilDone(page, () => page.getByRole('button', { name: 'Branch', exact: true }).click())
    await page.waitForFunction(
      () => document.querySelector('.chat-title')?.textContent === 'write notes.md: second',
    )
    expect(await page.locator('.row-user').allTextContents()).toEqual([
      'write notes.md: first',
      'write notes.md: second',
    ])
    await page.waitForFunction(() => document.querySelectorAll('.session-button').length === 2)
    await page.getByRole('button', { name: 'write notes.md: first' }).click()
    // The other chat has the same number of prompts.
    await expect.poll(() => page.locator('.row-user').last().textContent()).toBe('read notes.md')
  }, 60_000)
})

describe('stored chats', () => {
  const inList = (page: Page) => page.locator('.session-button').allTextContents()

  test('are loaded after a reload with their files, and can be renamed, exported and deleted', async () => {
    const page = await open()
    await say(page, 'write notes.md: kept')
    await page.waitForSelector('.session-button')
    await page.click('text=New chat')
    await say(page, 'list files')
    await page.waitForFunction(() => document.querySelectorAll('.session-button').length === 2)
    await isStored(page)
    await page.reload()
    await page.waitForSelector('.row-text')
    await expect.poll(() => page.textContent('.chat-title')).toBe('list files')

    await page.getByRole('button', { name: 'write notes.md: kept' }).click()
    await page.waitForSelector('.card >> text=write_file')
    await say(page, 'read notes.md')
    await page.click('.card:has-text("read_file") summary')
    await expect.poll(() => page.locator('.card-body .lines').last().textContent()).toContain('kept')

    await page.click('text=Rename')
    await page.fill('[aria-label="Name of the chat"]', 'Notes')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('.session-button')?.textContent === 'Notes')
    const download = page.waitForEvent('download')
    await page.click('text=Export…')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('Notes.json')
    const exported = readFileSync(await file.path(), 'utf8')

    await page.click('text=Delete…')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.waitForFunction(() => document.querySelectorAll('.session-button').length === 1)
    expect(await inList(page)).toEqual(['list files'])
    await dropFile(page, 'Notes.json', exported)
    await page.waitForSelector('[aria-label="Play from the start"]')
    await expect.poll(() => page.textContent('.rows')).toContain('notes.md is written.')
  }, 60_000)
})

describe('a recorded session', () => {
  test('can be paused, stepped, and played to its end', async () => {
    const page = await open()
    await page.click('text=Play the sample session')
    await page.waitForSelector('.transport')
    await page.click('[aria-label="Pause"]')
    const at = async () =>
      Number(/Request (\d+) of 33/.exec((await page.textContent('.transport')) ?? '')?.[1])
    await page.waitForTimeout(3000)
    const paused = await at()
    await page.click('[aria-label="Step one request"]')
    await page.waitForFunction(
      (wanted) => document.querySelector('.transport')?.textContent?.includes(`Request ${wanted} of`),
      paused + 1,
    )
    await page.selectOption('.speed select', '64')
    await page.click('[aria-label="Play"]')
    await page.waitForSelector('[aria-label="Play again"]')
    expect(await at()).toBe(33)
    expect(await page.locator('.trim').count()).toBeGreaterThan(0)
    await expect.poll(() => page.textContent('.cost')).toMatch(/^0\.\d\d× cost$/)
  })

  test('is played without trims, at full cost, under the policy off', async () => {
    const page = await open()
    await page.selectOption('#policy', 'off')
    await page.click('text=Play the sample session')
    await page.selectOption('.speed select', '64')
    await page.waitForSelector('[aria-label="Play again"]')
    expect(await page.locator('.trim').count()).toBe(0)
    await expect.poll(() => page.textContent('.cost')).toBe('1.00× cost')
  })

  test('is refused with a notice that names the file if it cannot be read', async () => {
    const page = await open()
    await dropFile(page, 'notes.txt', 'no session at all')
    await expect.poll(() => page.textContent('.notice')).toContain('notes.txt')
    await page.click('[aria-label="Dismiss"]')
    await expect.poll(() => page.locator('.notice').count()).toBe(0)
  })
})

describe.each([390, 1280])('the chat at %i px', (width) => {
  test.each(['light', 'dark'] as const)(
    'has no accessibility faults in the %s theme (axe)',
    async (colorScheme) => {
      const page = await open({ width, height: 844, colorScheme })
      expect(await faults(page)).toEqual([])
      await untilDone(page, () => page.click('text=Fix the failing tests'))
      await page.locator('.trim').last().getByText('See what').click()
      await openAll(page, '.card')
      expect(await faults(page)).toEqual([])
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      if (width === 390) {
        await page.click('.ring')
        await page.waitForTimeout(400)
      }
      await page.click('.block-item summary')
      expect(await faults(page)).toEqual([])
      if (width === 390) {
        await page.keyboard.press('Escape')
        await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('ring')
        await page.getByRole('button', { name: 'Chats', exact: true }).click()
        await page.waitForTimeout(400)
        expect(await faults(page)).toEqual([])
      }
    },
    90_000,
  )
})
