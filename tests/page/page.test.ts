import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { PRESETS } from '../../www/src/settings.js'
import { messageFiles } from '../transcripts/files.js'
import { dropFile, figure, figureNumber, type OpenOptions, openSample, pages } from './browser.js'
import { hostileSession, longSession } from './sessions.js'

const openPage = pages()
const open = async (options?: OpenOptions): Promise<Page> => (await openPage(options)).page

async function openWithSample(options?: OpenOptions): Promise<Page> {
  const page = await open(options)
  await openSample(page)
  return page
}

const canvas = (page: Page) =>
  page.$eval('.bar-stage canvas', (element) => (element as HTMLCanvasElement).toDataURL())
const afterLabel = (page: Page) => page.textContent('.bar-label-after .bar-amount')

describe('a dropped session file', () => {
  test.each(messageFiles())('$name is shown with its messages and size', async ({ name, text }) => {
    const page = await open({ height: 3000 })
    await dropFile(page, name, text)
    await page.waitForSelector('#viewer:not([hidden]) .message')
    const shown = await page.textContent('#message-list')
    for (const part of ['Which kiln is hot?', 'logs/north.log', 'North is hot.'])
      expect(shown).toContain(part)
    expect(await figureNumber(page, 'before')).toBeGreaterThan(1000)
  })
})

test('a file dropped before the engine is loaded is shown once it is loaded', async () => {
  const page = await open()
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  await page.route('**/*.wasm', async (route) => {
    await started
    await route.continue()
  })
  await page.reload()
  const [first] = messageFiles()
  await dropFile(page, first?.name ?? '', first?.text ?? '')
  expect(await page.isVisible('#viewer')).toBe(false)
  start()
  await page.waitForSelector('#viewer:not([hidden]) .message')
})

describe('the sample session', () => {
  test('shows its figures, bars, chart and messages', async () => {
    const page = await openWithSample()
    const [before, after] = [await figureNumber(page, 'before'), await figureNumber(page, 'after')]
    expect(before).toBeGreaterThan(1000)
    expect(after).toBeLessThan(before)
    expect(await figure(page, 'before')).toMatch(/^~/)
    expect(await figureNumber(page, 'saved')).toBeCloseTo(((before - after) / before) * 100, 0)
    expect(await figureNumber(page, 'edits')).toBeGreaterThan(0)
    expect(await figure(page, 'first')).toMatch(/^#\d+$/)
    await page.waitForSelector('#chart .chart-after')
    expect(await page.locator('.message').count()).toBeGreaterThan(1)
    expect(await paintedShare(page)).toBeGreaterThan(0.5)
  })

  test('shows an edited block beside its stub, with pass, reason and tokens', async () => {
    const page = await openWithSample()
    await page.click('#show-changed')
    const block = page.locator('.block.is-edited').first()
    expect((await block.locator('.side-before .text').textContent())?.length).toBeGreaterThan(20)
    expect((await block.locator('.side-after .text').textContent())?.length).toBeGreaterThan(5)
    await expect.poll(() => block.locator('.pass').textContent()).toBe('retire')
    await expect.poll(() => block.locator('.why').textContent()).toMatch(/seen it/)
    await expect.poll(() => block.locator('.block-tokens').textContent()).toMatch(/^~[\d,]+ → ~[\d,]+$/)
    expect(await page.locator('.message:not(.is-changed)').count()).toBe(0)
  })

  test('opens from the URL fragment #sample', async () => {
    const page = await open({ path: '/viewer.html#sample' })
    await page.waitForSelector('.message')
    expect(await page.title()).toBe('sample session · trimtab')
  })

  test('lists the lines of its file that are not messages', async () => {
    const page = await openWithSample()
    await expect.poll(() => page.textContent('#skipped summary')).toMatch(/^\d+ lines skipped$/)
    await page.click('#skipped summary')
    await expect.poll(() => page.isVisible('#skipped li')).toBe(true)
  })
})

describe('the picture of costs', () => {
  test('is computed when it is opened, and again when policy or prices change', async () => {
    const page = await open()
    const scripts: string[] = []
    page.on('request', (request) => {
      scripts.push(new URL(request.url()).pathname)
    })
    await openSample(page)
    await page.waitForSelector('#chart .chart-after')
    expect(scripts.filter((path) => path.includes('replay-picture'))).toEqual([])
    expect(await page.locator('#costs-picture svg').count()).toBe(0)

    await page.click('#costs summary')
    await page.waitForSelector('#costs-picture svg')
    expect(scripts.filter((path) => path.includes('replay-picture'))).toHaveLength(1)
    const label = () => page.getAttribute('#costs-picture svg', 'aria-label')
    const first = await label()
    expect(first).toContain('Off 1.00 with 100 %')
    expect(first).toMatch(/yours \d\.\d\d with \d+ %/)
    // All presets, and the panel's policy.
    expect(await page.locator('#costs-picture circle').count()).toBe(PRESETS.length + 1)

    const changed = (before: string | null) =>
      page.waitForFunction(
        (was) => document.querySelector('#costs-picture svg')?.getAttribute('aria-label') !== was,
        before,
      )
    await page.selectOption('#costs-prices', 'anthropic-1h')
    await changed(first)
    const second = await label()
    await page.selectOption('#preset', 'off')
    await changed(second)
    expect(await label()).toContain('yours 1.00 with 100 %')
  })

  test('is replaced by an explanation if the session has no answers', async () => {
    const page = await open()
    await dropFile(page, 'short.json', JSON.stringify([{ role: 'user', content: 'Hello' }]))
    await page.click('#costs summary')
    await page.waitForSelector('#costs-picture .costs-none')
  })
})

/** Returns the share of the bar's first row of pixels that is painted. */
function paintedShare(page: Page): Promise<number> {
  return page.$eval('.bar-stage canvas', (element) => {
    const picture = element as HTMLCanvasElement
    const row = picture.getContext('2d')?.getImageData(0, 10, picture.width, 1).data ?? []
    let painted = 0
    for (let i = 3; i < row.length; i += 4) {
      painted += (row[i] ?? 0) > 0 ? 1 : 0
    }
    return painted / picture.width
  })
}

describe('moving between requests', () => {
  test('the slider shows the view of an earlier request', async () => {
    const page = await openWithSample()
    const whole = await figureNumber(page, 'before')
    await page.focus('#step')
    await expect.poll(() => page.textContent('#step-text')).toMatch(/^After step \d+$/)
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('ArrowLeft')
    }
    await page.waitForFunction(() =>
      /^Before step \d+ of \d+$/.test(document.querySelector('#step-text')?.textContent ?? ''),
    )
    await expect.poll(() => figureNumber(page, 'before')).toBeLessThan(whole)
    await page.keyboard.press('Home')
    await expect.poll(() => figure(page, 'first')).toBe('none')
    await page.keyboard.press('End')
    await expect.poll(() => figureNumber(page, 'before')).toBe(whole)
  })

  test('play goes through the requests, and stops when it is clicked again', async () => {
    const page = await openWithSample()
    const step = () => page.$eval('#step', (element) => (element as HTMLInputElement).valueAsNumber)
    const last = await step()
    await page.click('#play')
    await expect.poll(step).toBeLessThan(last)
    await expect.poll(step).toBeGreaterThan(0)
    await page.click('#play')
    await expect.poll(() => page.getAttribute('#play', 'aria-pressed')).toBe('false')
    const stopped = await step()
    await page.waitForTimeout(1300)
    expect(await step()).toBe(stopped)
  })

  test('a click on the chart goes to that request', async () => {
    const page = await openWithSample()
    await page.waitForSelector('#chart .chart-after')
    const box = await page.locator('#chart').boundingBox()
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 60)
    await expect.poll(() => page.textContent('#step-text')).toMatch(/^Before step \d+ of \d+$/)
  })
})

describe('the policy controls', () => {
  test('maxToolOutputAge changes the bar, the figures and the JSON of the policy', async () => {
    const page = await openWithSample()
    await choose(page, 'rolling')
    const [picture, label, before] = [
      await canvas(page),
      await afterLabel(page),
      await figureNumber(page, 'before'),
    ]
    await page.fill('#maxToolOutputAge', '1')
    await expect.poll(() => afterLabel(page)).not.toBe(label)
    await expect.poll(() => canvas(page)).not.toBe(picture)
    expect(await figureNumber(page, 'before')).toBe(before)
    expect(JSON.parse((await page.textContent('#policy-json')) ?? '').age.maxToolOutputAge).toBe(1)
    await expect.poll(() => page.inputValue('#preset')).toBe('custom')
  })

  test('the presets off, rolling and rolling-dedupe change the figures and the JSON of the policy', async () => {
    const page = await openWithSample()
    const before = await figureNumber(page, 'before')
    await page.selectOption('#preset', 'off')
    await expect.poll(() => figureNumber(page, 'after')).toBe(before)
    await expect.poll(() => page.textContent('#policy-json')).toBe('{}')
    expect(await figure(page, 'edits')).toBe('0')
    await page.selectOption('#preset', 'rolling')
    await expect.poll(() => figureNumber(page, 'after')).toBeLessThan(before)
    const rolling = await figureNumber(page, 'after')
    await page.selectOption('#preset', 'rolling-dedupe')
    await expect.poll(() => page.textContent('#policy-json')).toContain('"dedupe": true')
    await expect.poll(() => figureNumber(page, 'after')).toBeLessThanOrEqual(rolling)
  })

  test.each([
    ['smart', '"superseded": "clear"'],
    ['clear', '"input_tokens"'],
    ['cache-aware', '"rewriteCost": 11.5'],
  ])('the preset %s reduces the tokens sent', async (preset, json) => {
    const page = await openWithSample()
    const before = await figureNumber(page, 'before')
    await page.selectOption('#preset', preset)
    await expect.poll(() => page.textContent('#policy-json')).toContain(json)
    await expect.poll(() => figureNumber(page, 'after')).toBeLessThan(before)
  })

  test('a policy that excludes every tool from clearing edits nothing', async () => {
    const page = await openWithSample()
    await choose(page, 'rolling')
    const after = await figureNumber(page, 'after')
    for (const chip of await page.locator('.chip').all()) {
      await chip.click()
    }
    await expect.poll(() => figureNumber(page, 'after')).toBeGreaterThan(after)
    expect(await figure(page, 'edits')).toBe('0')
  })

  test('a policy that edits nothing is reported as such', async () => {
    const page = await openWithSample()
    await page.selectOption('#preset', 'off')
    await page.click('#show-changed')
    await expect.poll(() => page.textContent('#message-list')).toContain('changes nothing')
  })
})

describe('opening a file', () => {
  test('a malformed file shows an error with its code, and the open session stays usable', async () => {
    const page = await openWithSample()
    const before = await figureNumber(page, 'before')
    await dropFile(page, 'broken.jsonl', '{"type":"mess')
    const notice = page.locator('.notice')
    await notice.waitFor()
    await expect.poll(() => notice.getAttribute('role')).toBe('alert')
    await expect.poll(() => notice.textContent()).toContain('broken.jsonl')
    await expect.poll(() => notice.locator('code').textContent()).toBe('unreadable_transcript')
    expect(await figureNumber(page, 'before')).toBe(before)
    await page.selectOption('#preset', 'off')
    await expect.poll(() => figureNumber(page, 'after')).toBe(before)
    await notice.locator('button').click()
    await expect.poll(() => notice.count()).toBe(0)
    await dropFile(page, 'good.json', longSession(4))
    await expect.poll(() => page.textContent('#session-name')).toBe('good.json')
  })

  test('an unreadable file shows an error on the start page too', async () => {
    const page = await open()
    await dropFile(page, 'notes.txt', 'no session at all')
    await page.waitForSelector('.notice')
    await expect.poll(() => page.isVisible('#landing')).toBe(true)
    await openSample(page)
    expect(await page.locator('.notice').count()).toBe(0)
  })

  test('a file from the file dialog is shown', async () => {
    const page = await open()
    await page.setInputFiles('#file', {
      name: 'chosen.json',
      mimeType: 'application/json',
      buffer: Buffer.from(longSession(9)),
    })
    await page.waitForSelector('.message')
    await expect.poll(() => page.textContent('#session-facts')).toContain('9 steps')
  })

  test('text of a session is never rendered as markup', async () => {
    const page = await open()
    const { text, markup } = hostileSession()
    await dropFile(page, `${markup}.json`, text)
    await page.waitForSelector('.message')
    await choose(page, 'rolling')
    await page.hover('.bar-handle-before', { position: { x: 300, y: 10 } })
    await page.click('#show-changed')
    await page.waitForSelector('.is-edited')
    await expect.poll(() => page.textContent('#session-name')).toContain(markup)
    await expect.poll(() => page.locator('.side-before .text').first().textContent()).toContain(markup)
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
  })
})

describe('long sessions', () => {
  test('only messages near the visible part are rendered, and a click on a bar goes to any message', async () => {
    const page = await open()
    await dropFile(page, 'long.json', longSession(3333))
    await page.waitForSelector('.message')
    await expect.poll(() => page.textContent('#messages-count')).toContain('10,000 messages')
    expect(await page.locator('.message').count()).toBeLessThan(80)
    const width = (await page.locator('.bar-handle-before').boundingBox())?.width ?? 0
    await page.locator('.bar-handle-before').click({ position: { x: width / 2, y: 10 } })
    await expect.poll(() => topMessage(page)).toBeGreaterThan(4900)
    expect(await topMessage(page)).toBeLessThan(5100)
    expect(await page.locator('.message').count()).toBeLessThan(80)
  })

  test('a long text is shortened, and can be expanded and collapsed', async () => {
    const page = await open()
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i}`).join('\n')
    await dropFile(page, 'text.json', JSON.stringify([{ role: 'user', content: lines }]))
    const body = page.locator('.text').first()
    await body.waitFor()
    expect(await body.textContent()).not.toContain('line 399')
    const toggle = page.locator('.link').first()
    await expect.poll(() => toggle.textContent()).toBe('Show all · 400 lines')
    await toggle.click()
    await expect.poll(() => body.textContent()).toBe(lines)
    await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('true')
    await toggle.click()
    await expect.poll(() => body.textContent()).not.toContain('line 399')
  })
})

/** Selects a preset, and waits for its view. */
async function choose(page: Page, preset: string): Promise<void> {
  const edits = () => figure(page, 'edits')
  await page.selectOption('#preset', 'off')
  await expect.poll(edits).toBe('0')
  await page.selectOption('#preset', preset)
  await expect.poll(edits).not.toBe('0')
}

/** Returns the message just below the covered part at the top of the window. */
function topMessage(page: Page): Promise<number> {
  return page.evaluate(() => {
    const line = document.querySelector('#deck')?.getBoundingClientRect().bottom ?? 0
    const rows = [...document.querySelectorAll<HTMLElement>('.message')]
    const row = rows.find((element) => element.getBoundingClientRect().bottom > line + 2)
    return Number(row?.dataset.message ?? -1)
  })
}

describe('keyboard', () => {
  test('arrow keys move between the blocks of a bar, and Enter goes to the message', async () => {
    const page = await openWithSample()
    const bar = page.locator('.bar-handle-before')
    await bar.focus()
    const first = await bar.getAttribute('aria-valuetext')
    expect(first).toContain('message 0')
    await page.keyboard.press('End')
    const last = (await bar.getAttribute('aria-valuetext')) ?? ''
    expect(last).not.toBe(first)
    await expect.poll(() => page.isVisible('.bar-cursor')).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  })
})

describe('appearance', () => {
  test('the page fits into 390 px', async () => {
    const page = await openWithSample({ width: 390, height: 844 })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await overflow()).toBeLessThanOrEqual(0)
    await choose(page, 'rolling')
    await page.locator('#maxToolOutputAge').fill('1')
    await page.locator('#next-change').click()
    await page.waitForSelector('.pair')
    expect(await overflow()).toBeLessThanOrEqual(0)
    const sides = await page
      .locator('.pair')
      .first()
      .locator('.side')
      .evaluateAll((list) => list.map((side) => side.getBoundingClientRect().top))
    expect(sides[1]).toBeGreaterThan(sides[0] ?? 0)
  })

  test('the theme follows the system until the user chooses one', async () => {
    const page = await open({ colorScheme: 'dark' })
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const dark = await background()
    await page.click('#theme')
    await expect.poll(() => page.getAttribute('#theme', 'aria-label')).toBe('Theme: light')
    const light = await background()
    expect(light).not.toBe(dark)
    await page.click('#theme')
    expect(await background()).toBe(dark)
  })

  test.each(['light', 'dark'] as const)(
    'texts and block colours have sufficient contrast in the %s theme',
    async (colorScheme) => {
      const page = await open({ colorScheme })
      const ratios = await page.evaluate(contrasts)
      const poor = ratios.filter(({ ratio, wanted }) => ratio < wanted)
      expect(poor).toEqual([])
      expect(ratios.length).toBeGreaterThan(20)
    },
  )
})

/** Runs in the page: returns the WCAG contrast of texts and block colours with their background. */
function contrasts(): { pair: string; ratio: number; wanted: number }[] {
  const style = getComputedStyle(document.documentElement)
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const luminance = (name: string) => {
    if (pen === null) {
      return 0
    }
    pen.fillStyle = style.getPropertyValue(name)
    pen.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one: string, other: string) => {
    const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  }
  const grounds = ['--bg', '--surface', '--raised', '--sunken']
  const texts = ['--ink', '--ink-2', '--ink-3', '--accent']
  const kinds = [...'system user assistant reasoning call read edit shell search result other'.split(' ')]
  const pairs: [string, string, number][] = [
    ...texts.flatMap((text) => grounds.map((ground): [string, string, number] => [text, ground, 4.5])),
    ...['--ink', '--ink-2', '--accent'].map((text): [string, string, number] => [text, '--accent-soft', 4.5]),
    ['--ink', '--error-soft', 4.5],
    ['--error', '--error-soft', 4.5],
    ['--ink', '--note-soft', 4.5],
    ['--accent-ink', '--accent', 4.5],
    ['--line-strong', '--surface', 3],
    ...kinds.map((kind): [string, string, number] => [`--kind-${kind}`, '--surface', 3]),
  ]
  return pairs.map(([one, other, wanted]) => ({
    pair: `${one} on ${other}`,
    ratio: contrast(one, other),
    wanted,
  }))
}
