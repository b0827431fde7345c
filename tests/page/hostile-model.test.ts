// Answers, thoughts and calls that try to run, to load, to cover or to stop something, while a model streams them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { BOMBS, HOSTILE, HOSTILE_NAMES } from './hostile-chat.js'
import { lookThrough } from './hostile-look.js'
import { chooseModel, PROVIDERS, say } from './talk.js'
import { longestTask } from './tasks.js'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

// The browser logs messages about the endpoint.
const openPage = pages((complaint) => complaint.includes(server.origin))

/** Longest allowed task, in milliseconds of processor time. */
const FREEZE = 2000

/** Characters of hostile texts in one chat: each request sends all of them again. */
const PER_CHAT = 300_000

/** Tools of the page, which then run with hostile arguments, and others that it does not have. */
const TOOLS = ['shell', 'read_lines', 'search', 'edit_file', 'write_file', ...HOSTILE_NAMES]

/** The last answer of all: one line of five million characters. */
const LINE = 'x'.repeat(5_000_000)

/** Divides texts into those of one chat each. */
function chatsOf(texts: readonly string[]): string[][] {
  const chats: string[][] = []
  let room = 0
  for (const text of texts) {
    room -= text.length
    if (room < 0) {
      chats.push([])
      room = PER_CHAT - text.length
    }
    chats.at(-1)?.push(text)
  }
  return chats
}

/** The answers of a turn: each text as a thought, as an answer, and as all arguments of a call. */
const answersOf = (texts: readonly string[]) =>
  texts.map((text, at) => {
    const args = {
      path: text,
      command: text,
      pattern: text,
      content: text,
      old_string: 'x',
      new_string: text,
    }
    const call = { name: TOOLS[at % TOOLS.length] ?? '', arguments: args }
    return { kind: 'answers' as const, said: { reasoning: text, text, calls: [call] } }
  })

test.each(PROVIDERS)(
  'hostile answers, thoughts and calls that stream from a model of %s run no script, stop nothing and keep the layout',
  async (provider) => {
    const { page } = await openPage({ width: 390, height: 1600, path: '/' })
    await page.waitForSelector('#composer')
    await chooseModel(page, server.origin, { provider })
    await page.getByLabel('Ask before changing files').uncheck()
    const longest = await longestTask(page)
    const chats = chatsOf([...HOSTILE, ...BOMBS])
    for (const texts of chats) {
      const last = texts === chats.at(-1) ? LINE : 'That was all.'
      server.received.length = 0
      server.next(...answersOf(texts), { kind: 'answers', said: { reasoning: last, text: last } })
      await say(page, 'Go on', 180_000)
      const { faults } = await lookThrough(page)
      expect(faults).toEqual([])
      expect(await page.locator('.failure').allTextContents()).toEqual([])
      expect(server.received.length).toBe(texts.length + 1)
      expect(server.faults()).toEqual([])
      await page.getByRole('button', { name: 'Chats', exact: true }).click()
      await page.getByRole('button', { name: 'New chat' }).click()
      await page.waitForSelector('.welcome')
    }
    expect(await longest()).toBeLessThan(FREEZE)
  },
  600_000,
)
