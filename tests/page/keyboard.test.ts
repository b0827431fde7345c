import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages } from './browser.js'
import { isIdle } from './talk.js'

const openPage = pages()

/** Returns a description of the focused element, and checks that it and its outline are visible. */
async function focused(page: Page): Promise<string> {
  const { name, isSeen, isMarked } = await page.evaluate(() => {
    const active = document.activeElement as HTMLElement
    const { top, bottom, left, right } = active.getBoundingClientRect()
    const style = getComputedStyle(active)
    const box = active.closest('.composer, .user-editor')
    return {
      name:
        active === document.body
          ? 'nothing'
          : (active.getAttribute('aria-label') ??
            ((active as HTMLInputElement).labels?.[0] ?? active).textContent ??
            ''),
      isSeen: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && bottom > top,
      // A text field is marked by the box around it.
      isMarked:
        style.outlineStyle !== 'none' ||
        (box !== null && getComputedStyle(box).boxShadow !== 'none') ||
        // A slider marks its thumb.
        active.matches('dialog *, [tabindex="-1"], [type="range"]'),
    }
  })
  expect({ name, isSeen, isMarked }).toEqual({ name, isSeen: true, isMarked: true })
  return name
}

/** Presses Tab until an element is reached. */
async function reach(page: Page, wanted: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press(key)
    const name = await focused(page)
    if (wanted.test(name)) return
    passed.push(name.slice(0, 30))
  }
  throw new Error(`${wanted} was not reached, but ${passed.join(' | ')}`)
}

// Also at 1280 and 2560 if pictures are requested.
test.each(process.env.TRIMTAB_PICTURES === undefined ? [390] : [390, 1280, 2560])(
  'the main functions work by keyboard alone, with a visible focus, at %i px',
  async (width) => {
    const { page } = await openPage({ width, height: 844, path: '/' })
    await page.waitForSelector('#composer')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip')
    await page.keyboard.press('Enter')
    await page.focus('#composer')
    await page.keyboard.type('Fix the failing tests')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.working')
    await isIdle(page)
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
      await reach(page, /^Sessions$/, 'Shift+Tab')
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
    await expect.poll(() => focused(page)).toBe(width === 390 ? 'Close sessions' : 'Message')
  },
  60_000,
)
