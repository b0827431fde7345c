import type { Page } from 'playwright-core'

/** Elements that the page itself never makes in a thread. */
const FOREIGN = '.rows :is(script, img, iframe, object, embed, style, form, input, video, base, meta, dialog)'

interface Looked {
  /** Names of what is wrong in the part of the thread that is in the page. */
  readonly faults: string[]
  /** The text of that part; `null` if it is what it was the last time. */
  readonly text: string | null
  /** Whether there is more below. */
  readonly hasMore: boolean
}

/** Opens all that is folded. Returns whether something was. */
const unfold = (page: Page) =>
  page.evaluate(() => {
    const folded = document.querySelectorAll<HTMLDetailsElement>('.rows details:not([open])')
    for (const fold of folded) fold.open = true
    for (const group of document.querySelectorAll<HTMLElement>('.group-head[aria-expanded="false"]'))
      group.click()
    return folded.length > 0
  })

/** Notes whether anything in the page changes. */
const watchChanges = (page: Page) =>
  page.evaluate(() => {
    const observer = new MutationObserver(() => {
      document.documentElement.dataset.changed = ''
    })
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    })
    document.documentElement.dataset.changed = ''
  })

/** Checks what is in the page, if it has changed since the last time, and scrolls on by a page. */
const look = (page: Page): Promise<Looked> =>
  page.evaluate((foreign) => {
    const faultsOfElements = () => {
      const links = [...document.querySelectorAll('.rows a')].map(
        (link) => link.getAttribute('href') ?? 'https://',
      )
      const attributes = [...document.querySelectorAll('.rows *')].flatMap((one) => [...one.attributes])
      return {
        'foreign elements': document.querySelectorAll(foreign).length > 0,
        'drawings in a text': document.querySelectorAll('.prose svg, .prose math').length > 0,
        'a link to something else than a page': links.some((link) => !/^https?:\/\//.test(link)),
        'event handlers or styles': attributes.some(({ name }) => name.startsWith('on') || name === 'style'),
      }
    }
    // A long text fills many windows, and is the same elements in each.
    const isChanged = 'changed' in document.documentElement.dataset
    delete document.documentElement.dataset.changed
    const { scrollWidth, clientWidth } = document.documentElement
    const faults = Object.entries({
      'a script ran': 'pwned' in globalThis,
      'the page is wider than the window': scrollWidth > clientWidth,
      ...(isChanged ? faultsOfElements() : {}),
    }).flatMap(([name, isWrong]) => (isWrong ? [name] : []))
    const text = isChanged ? (document.querySelector('.rows')?.textContent ?? '') : null
    const thread = document.querySelector('.thread') as HTMLElement
    // The wheel releases the position that is held after something was unfolded.
    thread.dispatchEvent(new WheelEvent('wheel', { bubbles: true }))
    const before = thread.scrollTop
    thread.scrollTop += thread.clientHeight
    return { faults, text, hasMore: thread.scrollTop > before }
  }, FOREIGN)

/** Looks at the thread from its beginning to its end, with all unfolded. Returns what is wrong, and the texts seen. */
export async function lookThrough(page: Page): Promise<{ faults: string[]; parts: number }> {
  await page.evaluate(() => document.querySelector('.thread')?.scrollTo(0, 0))
  await watchChanges(page)
  const faults = new Set<string>()
  const parts = new Set<string>()
  for (let hasMore = true; hasMore; ) {
    await page.waitForTimeout(50)
    if (await unfold(page)) await page.waitForTimeout(100)
    const seen = await look(page)
    for (const fault of seen.faults) faults.add(fault)
    if (seen.text !== null) parts.add(seen.text)
    hasMore = seen.hasMore
  }
  return { faults: [...faults], parts: parts.size }
}
