// One line of five million characters in each kind of card: nothing freezes, and the page does not scroll sideways.
import { expect, test } from 'vitest'
import { dropFile, pages } from './browser.js'
import { longestTask } from './tasks.js'

const openPage = pages()

/** Longest allowed task, in milliseconds of processor time: four times what the longest takes on two busy cores. */
const FREEZE = 2000

const LINE = 'x1, '.repeat(1_250_000)
const SOLID = 'x'.repeat(5_000_000)

interface Called {
  readonly name: string
  readonly args: object
  readonly result?: string
}

const CALLS: Readonly<Record<string, Called>> = {
  'a command': { name: 'bash', args: { command: SOLID } },
  'shell output': { name: 'bash', args: { command: 'cat a' }, result: LINE },
  'coloured shell output': {
    name: 'bash',
    args: { command: 'cat b' },
    result: '\u001b[31m\u001b[9999999Cx'.repeat(300_000),
  },
  'a read': { name: 'read_file', args: { path: 'a.ts' }, result: `1\t${SOLID}` },
  'a path': { name: 'read_file', args: { path: SOLID } },
  'an edit': { name: 'edit_file', args: { path: 'a.ts', old_string: LINE, new_string: SOLID } },
  'an edit of many lines': {
    name: 'edit_file',
    args: {
      path: 'b.ts',
      old_string: Array.from({ length: 12_000 }, (_, at) => `a${at}`).join('\n'),
      new_string: Array.from({ length: 12_000 }, (_, at) => `b${at}`).join('\n'),
    },
  },
  'a written file': { name: 'write_file', args: { path: 'c.ts', content: SOLID } },
  'a search': { name: 'search', args: { pattern: 'x' }, result: `a.ts:1: ${LINE}` },
  'a search for a long pattern': { name: 'search', args: { pattern: SOLID } },
  arguments: { name: 'other', args: { value: LINE } },
  JSON: { name: 'other', args: {}, result: JSON.stringify({ value: LINE }) },
  'a tool name': { name: SOLID.slice(0, 100_000), args: {} },
}

/** Returns a session with one call in each step, so that none is in a group. */
function sessionOf(calls: readonly Called[]): string {
  const steps = calls.flatMap(({ name, args, result = 'done' }, at) => [
    { role: 'user', content: `step ${at}` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${at}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
    { role: 'tool', tool_call_id: `c${at}`, content: result },
  ])
  return JSON.stringify(steps)
}

test.each(Object.entries(CALLS))(
  'a card of millions of characters neither freezes nor widens the page: %s',
  async (_, called) => {
    const { page } = await openPage({ width: 1280, height: 860, path: '/' })
    await page.waitForSelector('#composer')
    const longest = await longestTask(page)
    await dropFile(page, 'long.json', sessionOf([called]))
    await page.waitForSelector('.transport')
    const card = page.locator('.rows .card')
    await card.waitFor()
    if ((await card.getAttribute('open')) === null) await card.locator('summary').click()
    await card.locator('.card-body .original > *').first().waitFor({ state: 'attached' })
    for (let portions = 0; portions < 3; portions++) {
      const more = card.getByRole('button', { name: 'Show more' }).last()
      if ((await more.count()) > 0) await more.click()
      await page.waitForTimeout(100)
    }
    await page.locator('.block-item summary').first().click()
    await page.waitForTimeout(300)
    expect(await longest()).toBeLessThan(FREEZE)
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wider).toBeLessThanOrEqual(0)
  },
  60_000,
)

/** Longest allowed task with several such texts, in milliseconds of processor time: four times what it takes. */
const SLICE = 400

test('texts of millions of characters of every role are read one at a time, and shown in portions', async () => {
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  // Made in the page: to receive 30 MB is a task of a second.
  const file = await page.evaluateHandle(() => {
    const prose = 'The **offset** of a `zone` is added, and not taken away.\n\n'.repeat(90_000)
    const session = [
      { role: 'system', content: prose },
      { role: 'user', content: prose },
      { role: 'assistant', content: prose, reasoning_content: prose },
      { role: 'user', content: 'x'.repeat(5_000_000) },
      { role: 'assistant', content: 'x1, '.repeat(1_250_000) },
    ]
    const data = new DataTransfer()
    data.items.add(new File([JSON.stringify(session)], 'long.json'))
    return data
  })
  const longest = await longestTask(page)
  await page.dispatchEvent('body', 'drop', { dataTransfer: file })
  await page.waitForSelector('.transport')
  await expect.poll(() => page.getByText('Reading a long text').count()).toBe(0)
  await expect.poll(() => page.locator('.rows .link', { hasText: 'Show more' }).count()).toBe(6)
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('.rows details')) fold.open = true
  })
  await page.waitForTimeout(300)
  expect(await longest()).toBeLessThan(SLICE)
  expect((await page.textContent('.rows'))?.length).toBeLessThan(60_000)
}, 60_000)
