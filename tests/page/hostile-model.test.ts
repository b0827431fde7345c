// Answers, thoughts and calls that try to run, to load, to cover or to stop something, while a model streams them.
// One provider is enough here: a chat is kept and drawn in one format, whatever the provider. That all providers lead to
// the same messages, with each of these texts, is tested without a page (tests/chat/hostile-models.test.ts).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../chat/model-server.js'
import { pages } from './browser.js'
import { hostileChats } from './hostile-answers.js'
import { lookThrough } from './hostile-look.js'
import { chooseModel, say } from './talk.js'
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

test('hostile answers, thoughts and calls that stream from a model run no script, stop nothing and keep the layout', async () => {
  const { page } = await openPage({ width: 390, height: 1600, path: '/' })
  await page.waitForSelector('#composer')
  await chooseModel(page, server.origin)
  await page.getByLabel('Ask before changing files').uncheck()
  const longest = await longestTask(page)
  for (const answers of hostileChats) {
    server.received.length = 0
    server.next(...answers.map((said) => ({ kind: 'answers' as const, said })))
    await say(page, 'Go on', 180_000)
    const { faults } = await lookThrough(page)
    expect(faults).toEqual([])
    expect(await page.locator('.failure').allTextContents()).toEqual([])
    expect(server.received.length).toBe(answers.length)
    expect(server.faults()).toEqual([])
    // Not by role alone: that would compute the name of each button in the thread, in a task of the page.
    await page.locator('header').getByRole('button', { name: 'Chats', exact: true }).click()
    await page.locator('.sheet-chats').getByRole('button', { name: 'New chat' }).click()
    await page.waitForSelector('.welcome')
  }
  expect(await longest()).toBeLessThan(FREEZE)
}, 600_000)
