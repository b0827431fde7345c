import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dropFile, type OpenOptions, pages } from './browser.js'
import { say, untilDone } from './talk.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const openPage = pages()

async function open(options: OpenOptions = {}): Promise<Page> {
  const { page } = await openPage({ width: 1280, height: 860, path: '/', ...options })
  await page.waitForSelector('#composer')
  return page
}

const answered = (content: string) =>
  JSON.stringify([
    { role: 'user', content: 'show me' },
    { role: 'assistant', content },
  ])

async function contrastFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run({ runOnly: ['color-contrast'] })
    return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120)))
  })
}

const BLOCKS = [
  '```ts\n// add it\nexport const offsetOf = (zone: string): number => Number.parseInt(zone, 10) + 1.5\n```',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of the code that is shown.
  '```html\n<p class="a">x</p><script>const b = `${1}`</script>\n```',
  '```diff\n+ in\n- out\n```',
  '```toml\n[a]\nb = "c"\n```',
  '```nonsense\nconst plain = 1\n```',
].join('\n\n')

test.each(['light', 'dark'] as const)(
  'code in answers and cards is highlighted, with sufficient contrast in the %s theme',
  async (colorScheme) => {
    const page = await open({ colorScheme })
    await say(page, 'read src/tides.ts')
    await page.locator('.card summary').first().click()
    await expect.poll(() => page.locator('.lines .code-keyword').count()).toBeGreaterThan(3)
    expect(await page.locator('.lines .line').first().getAttribute('data-number')).not.toBeNull()
    await page.click('text=New chat')
    await untilDone(page, () => page.click('text=Fix the failing tests'))
    for (const sign of ['+', '-'])
      await expect
        .poll(() => page.locator(`.diff .line[data-sign="${sign}"] [class^="code-"]`).count())
        .toBeGreaterThan(0)
    await page.click('text=New chat')
    await say(page, 'run cat logs/test.log')
    await page.locator('.card summary').first().click()
    await page.locator('.command').waitFor()
    expect(await contrastFaults(page)).toEqual([])

    await dropFile(page, 'a.json', answered(BLOCKS))
    await expect.poll(() => page.locator('.prose .code-keyword').count()).toBeGreaterThan(2)
    const kinds = ['comment', 'string', 'number', 'keyword', 'name', 'type', 'added', 'removed']
    for (const kind of kinds)
      expect(await page.locator(`.prose .code-${kind}`).count(), kind).toBeGreaterThan(0)
    expect(await page.locator('.prose pre').last().locator('span').count()).toBe(0)
    await expect
      .poll(() => page.locator('.prose pre').first().locator('code').textContent())
      .toBe(`${BLOCKS.split('\n').slice(1, 3).join('\n')}\n`)
    expect(await contrastFaults(page)).toEqual([])
  },
  60_000,
)

test('forced colours replace the colours of highlighted code', async () => {
  const page = await open()
  await page.emulateMedia({ forcedColors: 'active' })
  await dropFile(page, 'a.json', answered(BLOCKS))
  await expect.poll(() => page.locator('.prose .code-keyword').count()).toBeGreaterThan(2)
  const colors = await page.evaluate(() => {
    const of = (selector: string) => getComputedStyle(document.querySelector(selector) as Element).color
    return [of('.prose .code-keyword'), of('.prose pre code')]
  })
  expect(colors[0]).toBe(colors[1])
})

test('content of a session cannot set CSS classes of the page or event handlers', async () => {
  const page = await open()
  const text =
    '```copy-code\na\n```\n\n```language-x"onclick="1\nb\n```\n\n``` ts button primary\nconst c = 1\n```\n\n<code class="button">d</code>'
  await dropFile(page, 'a.json', answered(text))
  await expect.poll(() => page.locator('.prose .code-keyword').count()).toBe(1)
  const classes = await page.$$eval('.prose pre code', (all) => all.map((one) => one.className))
  expect(classes).toEqual(['language-copy-code', '', 'language-ts'])
  expect(await page.locator('.prose code.button, .prose [onclick]').count()).toBe(0)
})

test('code that would take too long to highlight does not delay other code', async () => {
  const page = await open()
  // Each opens a text that another one may close: the longest that are read at all.
  const hostile = ['"\\', '{{', '<a ', "b'", '$(', '/*'].map((part) => part.repeat(99_000 / part.length))
  const languages = ['ts', 'php', 'html', 'python', 'bash', 'scss']
  const blocks = hostile.map((code, at) => `\`\`\`${languages[at]}\n${code}\n\`\`\``)
  const session = blocks.flatMap((content) => JSON.parse(answered(content)) as object[])
  session.push(...(JSON.parse(answered('```ts\nconst last = 1\n```')) as object[]))
  await dropFile(page, 'a.json', JSON.stringify(session))
  await page.locator('.prose', { hasText: 'const last' }).waitFor()
  await expect
    .poll(() => page.locator('.prose', { hasText: 'const last' }).locator('.code-keyword').count(), {
      timeout: 30_000,
    })
    .toBe(1)
}, 60_000)
