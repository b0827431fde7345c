import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { focused, reach } from './by-keyboard.js'
import { isIdle, untilDone } from './talk.js'

const openPage = pages()

// Also at 1280 and 2560 if pictures are requested.
test.each(process.env.TRIMTAB_PICTURES === undefined ? [390] : [390, 1280, 2560])(
  'the main functions work by keyboard alone, with a visible focus, at %i px',
  async (width) => {
    const { page } = await openPage({ width, height: 844, path: '/' })
    await page.waitForSelector('#composer')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('skip')
    await page.keyboard.press('Enter')
    await page.focus('#composer')
    await page.keyboard.type('Fix the failing tests')
    await untilDone(page, () => page.keyboard.press('Enter'))
    expect(await focused(page)).toBe('Message')

    await reach(page, /^Why$/, 'Shift+Tab')
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('Why')
    await reach(page, /^\d+ calls/, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await reach(page, /^read_file/)
    await page.keyboard.press('Enter')
    await page.locator('.card-body').first().waitFor()
    await reach(page, /^Edit and branch$/, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Edit message')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Edit and branch')

    await reach(page, /^Script|^Model/)
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toMatch(/^Script|^Model/)

    if (width === 390) {
      await reach(page, /^Context: /, 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page)).toBe('Close context')
      // Wait for the sheet's transition.
      await page.waitForTimeout(400)
    }
    await reach(page, /^Previous request$/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('Previous request')
    await reach(page, /^Filter blocks/)
    // The thread below the sheet cannot be reached: neither the focus nor what is read out goes where nobody sees it.
    if (width === 390) expect(await page.locator('main').evaluate((main) => main.inert)).toBe(true)
    if (width === 390) {
      await page.keyboard.press('Escape')
      await expect.poll(() => focused(page)).toMatch(/^Context: /)
    }
    await reach(page, /^Fork here$/, width === 390 ? 'Tab' : 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.textContent('.chat-title')).toContain('Fork of')
    await expect.poll(() => focused(page)).toBe('Message')
    await reach(page, /^Continue$/, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Message')

    await reach(page, /^$|Ask before/)
    await isIdle(page)
  },
  90_000,
)

test.each([390, 1280])(
  'a chat is renamed, exported and deleted by keyboard alone, at %i px',
  async (width) => {
    const { page } = await openPage({ width, height: 844, path: '/' })
    await page.waitForSelector('#composer')
    await page.focus('#composer')
    await page.keyboard.type('list files')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.row-text')
    await isIdle(page)
    await page.locator('.session-button').waitFor({ state: 'attached' })
    if (width === 390) {
      await reach(page, /^Chats$/, 'Shift+Tab')
      await page.keyboard.press('Enter')
      await page.waitForTimeout(400)
    }
    const key = width === 390 ? 'Tab' : 'Shift+Tab'
    await reach(page, /^Rename$/, key)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Name of the chat')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Rename')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Another name')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Rename')
    await expect.poll(() => page.textContent('.session-name')).toBe('Another name')
    await reach(page, /^Export/)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Format of the file')
    await page.keyboard.press('Escape')
    await reach(page, /^Delete…$/)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Cancel')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.locator('.session-button').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(width === 390 ? 'Close chats' : 'Message')
  },
  60_000,
)
