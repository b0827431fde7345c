import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const DOCS = fileURLToPath(new URL('../../docs/images/chat/', import.meta.url))
/** Output folder for a survey, in which each state is taken at each of these widths, light and dark. */
const SURVEY = process.env.TRIMTAB_SURVEY
const WIDTHS = [390, 1280, 2560]
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 1280: 800, 2560: 1400 }

export interface Shot {
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
}

/** Sizes of a state's pictures: one width for the docs, or all widths of a survey. */
export function shotsOf(width: number, colorScheme: Shot['colorScheme']): Shot[] {
  const widths = SURVEY === undefined ? [width] : WIDTHS
  return widths.map((one) => ({ width: one, height: HEIGHTS[one] ?? 800, colorScheme }))
}

/**
 * Takes a picture once nothing moves any more. `host` differs on each run, so the picture shows a fixed name
 * instead.
 */
export async function take(page: Page, name: string, shot: Shot, host: string): Promise<void> {
  await page.locator('.flash').waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  await page.evaluate((there) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { caret-color: transparent !important }')
    document.adoptedStyleSheets = [sheet]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.nodeValue?.includes(there))
        node.nodeValue = node.nodeValue.replaceAll(there, 'api.example.com')
  }, host)
  await settled(page)
  if (SURVEY === undefined) return write(page, `${DOCS}${name}.webp`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.screenshot({ path: `${SURVEY}/${name}-${shot.width}-${colorScheme}.png` })
  }
}

/** Waits until the page has not changed for five frames. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const frame = () => new Promise(requestAnimationFrame)
    for (let alike = 0, before = ''; alike < 5; ) {
      await frame()
      const now = `${document.body.textContent.length} ${[
        ...document.querySelectorAll('.thread, .sheet, .rows'),
      ].map((one) => `${one.scrollTop} ${one.scrollHeight} ${one.childElementCount}`)}`
      alike = now === before ? alike + 1 : 0
      before = now
    }
  })
}

/** Writes the window as a picture, with `scale` pixels for each of the window's. */
export async function write(page: Page, path: string, scale = 1): Promise<void> {
  mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true })
  const session = await page.context().newCDPSession(page)
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 75,
    clip: { x: 0, y: 0, width, height, scale },
  })
  await session.detach()
  writeFileSync(path, Buffer.from(data, 'base64'))
}
