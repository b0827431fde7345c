import type { BlockFacts } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { readSession } from '../../www/src/reading.js'
import { measureSeries } from '../../www/src/series.js'
import { findRequests, firstBlocks } from '../../www/src/session.js'
import { createView, isEdited, tokensByCategory } from '../../www/src/view.js'
import { longSession } from './sessions.js'

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0)

describe('session', () => {
  test('a request stands before every answer, and one after the last message', () => {
    const block = (message: number, role: BlockFacts['role'], step: number) => ({ message, role, step })
    const chat = [
      block(0, 'user', 0),
      block(1, 'assistant', 1),
      block(2, 'tool', 1),
      block(3, 'assistant', 2),
    ]
    expect(findRequests(chat, 4)).toEqual([
      { messages: 1, step: 1 },
      { messages: 3, step: 2 },
      { messages: 4, step: null },
    ])
    expect(findRequests([block(0, 'assistant', 1), block(1, 'user', 1)], 2)).toEqual([
      { messages: 2, step: null },
    ])
    expect(findRequests([], 0)).toEqual([{ messages: 0, step: null }])
  })

  test('an answer of several items has one request, and so has a message of several steps', () => {
    const block = (message: number, step: number) => ({ message, role: 'assistant' as const, step })
    const ends = [
      { messages: 1, step: 1 },
      { messages: 4, step: null },
    ]
    expect(findRequests([block(1, 1), block(2, 1), block(3, 1)], 4)).toEqual(ends)
    expect(findRequests([block(1, 3), block(1, 1), block(1, 2)], 4)).toEqual(ends)
  })

  test('messages without blocks have none', () => {
    expect([...firstBlocks([{ message: 0 }, { message: 2 }, { message: 2 }], 4)]).toEqual([0, 1, 1, 3, 3])
  })
})

describe('view', () => {
  const session = readSession('made up', longSession(20))
  const last = session.requests.length - 1

  test('carries the messages before its step, and counts as the engine does', () => {
    const view = createView(session, 10, { age: { maxToolOutputAge: 3 } })
    expect(view.messages.length).toBe(session.requests[10]?.messages)
    const { before, after } = tokensByCategory(view)
    expect(sum(before)).toBe(view.report.tokensBefore)
    expect(sum(after)).toBe(view.report.tokensAfter)
    expect(view.report.edits.length).toBeGreaterThan(0)
    expect(view.edits.size).toBe(view.report.edits.length)
  })

  test('edited is what is not the same object', () => {
    const view = createView(session, last, { age: { maxToolOutputAge: 3 } })
    view.messages.forEach((message, i) => {
      expect(isEdited(view, i)).toBe(message !== session.messages[i])
    })
  })

  test('nothing is edited without a policy', () => {
    const view = createView(session, last, {})
    expect(view.edits.size).toBe(0)
    expect(sum(view.tokensAfter)).toBe(session.inspection.tokens.total)
  })
})

describe('series', () => {
  test('ends where the view of the last request is', async () => {
    const session = readSession('made up', longSession(300))
    const policy = { age: { maxToolOutputAge: 3 } }
    const series = await measureSeries(session, policy, new AbortController().signal)
    const { report } = createView(session, session.requests.length - 1, policy)
    expect(series?.requests.length).toBe(240)
    expect(series?.before.at(-1)).toBe(report.tokensBefore)
    expect(series?.after.at(-1)).toBe(report.tokensAfter)
  })

  test('stops when it is no longer wanted', async () => {
    const session = readSession('made up', longSession(4000))
    const stopped = new AbortController()
    const measuring = measureSeries(session, {}, stopped.signal)
    stopped.abort()
    expect(await measuring).toBeNull()
  })
})
