import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { inspect } from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import { beforeAll, describe, expect, test } from 'vitest'
import { dropFile, pages } from './browser.js'
import { say } from './talk.js'

const openPage = pages()

async function open(width = 1280): Promise<Page> {
  const { page } = await openPage({ width, height: 860, path: '/' })
  await page.waitForSelector('#composer')
  return page
}

const KINDS: [string, string][] = [
  ['openai-chat-messages', 'json'],
  ['openai-responses-messages', 'json'],
  ['anthropic-messages', 'json'],
  ['gemini-messages', 'json'],
  ['ai-sdk-messages', 'json'],
  ['ai-sdk-ui-messages', 'json'],
  ['langchain-messages', 'json'],
  ['claude-code', 'jsonl'],
  ['codex', 'jsonl'],
  ['pi', 'jsonl'],
  ['swe-agent', 'traj'],
  ['saved-session', 'jsonl'],
]

/** What the thread shows, but for the sizes that depend on the format. */
const thread = async (page: Page) => ({
  texts: await page.locator('.row-user, .row-text').allTextContents(),
  tools: await page.locator('.card-tool').allTextContents(),
})

describe('a chat that is exported', () => {
  const files = new Map<string, { name: string; text: string }>()
  let chat: Awaited<ReturnType<typeof thread>>
  const notices: number[] = []

  beforeAll(async () => {
    const page = await open()
    await say(page, 'write notes.md: kept')
    await say(page, 'read notes.md')
    await page.waitForSelector('.session-button')
    chat = await thread(page)
    for (const [kind] of KINDS) {
      await page.click('text=Export…')
      await page.selectOption('[aria-label="Format of the file"]', kind)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      const file = await download.catch(async (error) => {
        throw new Error(`${kind}: ${error.message}; the page: ${await page.locator('body').textContent()}`)
      })
      notices.push(await page.locator('.notice').count())
      files.set(kind, { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') })
    }
  }, 60_000)

  test.each(KINDS)('as %s is a .%s file of that kind with the same calls', (kind, extension) => {
    const { name, text } = files.get(kind) as { name: string; text: string }
    expect(name).toBe(`write-notes-md-kept.${extension}`)
    const read = readTranscript(text)
    expect([read.kind, read.skipped.filter(({ reason }) => !/^no message/.test(reason))]).toEqual([kind, []])
    const { blocks } = inspect(read.messages, { format: read.format })
    expect(blocks.flatMap(({ kind: block, tool }) => (block === 'tool-call' ? tool : []))).toEqual([
      'write_file',
      'read_file',
    ])
  })

  test.each(KINDS)('as %s is imported with the same thread', async (kind) => {
    const page = await open()
    const { name, text } = files.get(kind) as { name: string; text: string }
    await dropFile(page, name, text)
    await page.waitForSelector('[aria-label="Play from the start"]')
    await expect.poll(() => thread(page)).toEqual(chat)
  })

  test('has its title and its times where the file has a place for them', () => {
    const read = (kind: string) => readTranscript(files.get(kind)?.text ?? '')
    for (const kind of ['anthropic-messages', 'claude-code', 'pi', 'saved-session'])
      expect(read(kind).title).toBe('write notes.md: kept')
    for (const kind of ['claude-code', 'codex', 'pi'])
      expect(Math.min(...(read(kind).times ?? []).flatMap((time) => time ?? []))).toBeGreaterThan(1.7e12)
    expect(notices).toEqual(KINDS.map(() => 0))
  })
})

test.each([390, 1280])('the export menu groups its kinds, at %i px', async (width) => {
  const page = await open(width)
  await say(page, 'list files')
  if (width === 390) await page.getByRole('button', { name: 'Chats' }).click()
  await page.click('text=Export…')
  const groups = page.locator('[aria-label="Format of the file"] optgroup')
  expect(await groups.evaluateAll((all) => all.map((one) => (one as HTMLOptGroupElement).label))).toEqual([
    'Messages',
    'Session of an agent',
  ])
  expect(await page.locator('[aria-label="Format of the file"] option').count()).toBe(KINDS.length)
  await expect.poll(() => page.inputValue('[aria-label="Format of the file"]')).toBe('openai-chat-messages')
})
