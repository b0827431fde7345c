// A recorded session whose texts, calls and results try to run, to load, to cover or to stop something.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dropFile, pages } from './browser.js'
import { hostileChat } from './hostile-chat.js'

const openPage = pages()

/** Elements that the page itself never makes in a thread. */
const FOREIGN = '.rows :is(script, img, iframe, object, embed, style, form, input, video, base, meta)'

interface Looked {
  /** Names of what is wrong in the part of the thread that is in the page. */
  readonly faults: string[]
  /** Whether there is more below. */
  readonly hasMore: boolean
}

/** Opens all that is folded. Returns whether something was. */
const unfold = (page: Page) =>
  page.evaluate(() => {
    const folded = document.querySelectorAll<HTMLDetailsElement>('.rows details:not([open])')
    for (const fold of folded) fold.open = true
    return folded.length > 0
  })

/** Checks what is in the page, and scrolls on by a page. */
const look = (page: Page): Promise<Looked> =>
  page.evaluate((foreign) => {
    const links = [...document.querySelectorAll('.rows a')].map(
      (link) => link.getAttribute('href') ?? 'https://',
    )
    const attributes = [...document.querySelectorAll('.rows *')].flatMap((one) => [...one.attributes])
    const { scrollWidth, clientWidth } = document.documentElement
    const faults = Object.entries({
      'a script ran': 'pwned' in globalThis,
      'foreign elements': document.querySelectorAll(foreign).length > 0,
      'drawings in a text': document.querySelectorAll('.prose svg, .prose math').length > 0,
      'a link to something else than a page': links.some((link) => !link.startsWith('https://')),
      'event handlers or styles': attributes.some(({ name }) => name.startsWith('on') || name === 'style'),
      'the page is wider than the window': scrollWidth > clientWidth,
    }).flatMap(([name, isWrong]) => (isWrong ? [name] : []))
    const thread = document.querySelector('.thread') as HTMLElement
    // The wheel releases the position that is held after something was unfolded.
    thread.dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    const before = thread.scrollTop
    thread.scrollTop += thread.clientHeight
    return { faults, hasMore: thread.scrollTop > before }
  }, FOREIGN)

test.each([390, 1280])(
  'hostile content runs no script, adds no elements or event handlers, and keeps the layout, at %i px',
  async (width) => {
    const { page } = await openPage({ width, height: 1600, path: '/' })
    await page.waitForSelector('#composer')
    await dropFile(page, 'hostile.json', hostileChat())
    await page.waitForSelector('[aria-label="Play from the start"]')
    await page.evaluate(() => document.querySelector('.thread')?.scrollTo(0, 0))
    const faults = new Set<string>()
    const parts = new Set<string | null>()
    for (let hasMore = true; hasMore; ) {
      await page.waitForTimeout(50)
      if (await unfold(page)) await page.waitForTimeout(100)
      const seen = await look(page)
      for (const fault of seen.faults) faults.add(fault)
      parts.add(await page.textContent('.rows'))
      hasMore = seen.hasMore
    }
    expect([...faults]).toEqual([])
    expect(parts.size).toBeGreaterThan(20)
  },
  300_000,
)
