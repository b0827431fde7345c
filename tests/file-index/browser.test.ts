// The index in a real browser: the same files give bit-identical answers as in Node.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type * as Index from 'trimtab/index'
import { createIndex } from 'trimtab/index'
import { expect, test } from 'vitest'
import { launchChromium } from '../chromium.js'
import { serve } from '../page/serve.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const QUERIES = ['how is a passage scored', 'Posting', 'where do windows of a digest begin', 'die Zeilen']

const files = readdirSync(`${ROOT}/src/index`).map((name) => ({
  path: `src/index/${name}`,
  content: readFileSync(`${ROOT}/src/index/${name}`, 'utf8'),
}))

/** Also runs in the browser, so it uses nothing from outside. */
function answers(index: Index.FileIndex, files: Index.IndexFile[], queries: string[]): unknown[] {
  for (const file of files) index.add(file)
  const found = queries.map((query) => index.query(query, { conversation: 'ranks' }))
  return [found, files.map(({ path }) => index.digest(path, queries.join('\n'), { lines: 20 }))]
}

test('the index gives the same answers in Chromium as in Node', async () => {
  const server = await serve(ROOT)
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(`${server.origin}/tests/file-index/browser/index.html`)
    await page.waitForFunction(() => 'createIndex' in globalThis)
    const there = await page.evaluate(
      `(${answers})(createIndex(), ${JSON.stringify(files)}, ${JSON.stringify(QUERIES)})`,
    )
    const here = answers(createIndex(), files, QUERIES)
    expect(there).toEqual(here)
    expect((here[0] as unknown[][]).flat().length).toBeGreaterThan(10)
  } finally {
    await browser.close()
    await server.close()
  }
}, 60_000)
