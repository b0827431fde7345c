import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Returns a description of the focused element, and checks that it and its outline are visible. */
export async function focused(page: Page): Promise<string> {
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
export async function reach(page: Page, wanted: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press(key)
    const name = await focused(page)
    if (wanted.test(name)) return
    passed.push(name.slice(0, 30))
  }
  throw new Error(`${wanted} was not reached, but ${passed.join(' | ')}`)
}

/** Presses Tab or Shift+Tab until an element has the focus, which must be visible on the way. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let steps = 0; steps < 300; steps++) {
    const way = await target.evaluate((wanted) => {
      const active = document.activeElement ?? document.body
      if (active === wanted) return null
      const isAfter = active.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING
      return isAfter === 0 ? 'Shift+Tab' : 'Tab'
    })
    if (way === null) return void (await focused(page))
    await page.keyboard.press(way)
  }
  throw new Error(`${target} was not reached`)
}
