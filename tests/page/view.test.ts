import { type BlockFacts, Context, cacheAware, type Policy } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { readSession } from '../../www/src/reading.js'
import { Replay, runReplay } from '../../www/src/replay.js'
import { findRequests, firstBlocks, type Session } from '../../www/src/session.js'
import { createView, isEdited, tokensByCategory } from '../../www/src/view.js'
import { longSession } from './sessions.js'

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0)

describe('requests of a session', () => {
  test('are found before every answer and after the last message', () => {
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

  test('are one for an answer of several items, and one for a message of several steps', () => {
    const block = (message: number, step: number) => ({ message, role: 'assistant' as const, step })
    const ends = [
      { messages: 1, step: 1 },
      { messages: 4, step: null },
    ]
    expect(findRequests([block(1, 1), block(2, 1), block(3, 1)], 4)).toEqual(ends)
    expect(findRequests([block(1, 3), block(1, 1), block(1, 2)], 4)).toEqual(ends)
  })

  test('have no blocks for messages without blocks (firstBlocks)', () => {
    expect([...firstBlocks([{ message: 0 }, { message: 2 }, { message: 2 }], 4)]).toEqual([0, 1, 1, 3, 3])
  })
})

const signal = new AbortController().signal

/** Replays a session to its end. */
function replayed(session: Session, policy: Policy): Replay {
  const replay = new Replay(session, policy)
  while (!replay.isComplete) replay.advance()
  return replay
}

describe('createView', () => {
  const session = readSession('made up', longSession(20))
  const last = session.requests.length - 1

  test('contains the messages before its request, with the token counts of the engine', () => {
    const view = createView(replayed(session, { age: { maxToolOutputAge: 3 } }), 10)
    expect(view.messages.length).toBe(session.requests[10]?.messages)
    const { before, after } = tokensByCategory(view)
    expect(sum(before)).toBe(view.report.tokensBefore)
    expect(sum(after)).toBe(view.report.tokensAfter)
    expect(view.report.edits.length).toBeGreaterThan(0)
    expect(view.edits.size).toBe(view.report.edits.length)
  })

  test('marks messages as edited that are not the original objects', () => {
    const view = createView(replayed(session, { age: { maxToolOutputAge: 3 } }), last)
    view.messages.forEach((message, i) => {
      expect(isEdited(view, i)).toBe(message !== session.messages[i])
    })
  })

  test('edits nothing under an empty policy', () => {
    const view = createView(replayed(session, {}), last)
    expect(view.edits.size).toBe(0)
    expect(sum(view.tokensAfter)).toBe(session.inspection.tokens.total)
  })
})

describe('Replay', () => {
  const texts = (messages: readonly object[]) => messages.map((message) => JSON.stringify(message))

  test('gives each request the view of a Context that projected the requests before it', () => {
    const session = readSession('made up', longSession(200))
    const policy = cacheAware({ window: 60_000 })
    const replay = replayed(session, policy)
    const context = new Context(policy)
    const sent = session.requests.map(
      ({ messages }) => context.project(session.messages.slice(0, messages)).messages,
    )
    const edited = sent.filter((view) => view.some((message, i) => message !== session.messages[i]))
    expect(edited.length).toBeGreaterThan(50)
    for (const request of [0, 1, 15, 16, 17, 120, 199, 200, 40]) {
      expect(texts(replay.at(request).messages)).toEqual(texts(sent[request] ?? []))
    }
  })

  test('counts a pause of the session as idle time', () => {
    const session = readSession('made up', longSession(12))
    const policy: Policy = { retire: { rewriteCost: 1e9, cacheSeconds: 300 } }
    const at = (seconds: (message: number) => number) => {
      const times = session.messages.map((_, message) => 1000 * seconds(message))
      return replayed({ ...session, transcript: { ...session.transcript, times } }, policy).series().after
    }
    const steady = at((message) => message)
    const paused = at((message) => message + (message > 20 ? 3600 : 0))
    const index = steady.findIndex((tokens, request) => tokens !== paused[request])
    expect(session.requests[index]?.messages).toBeGreaterThan(20)
    expect(paused[index]).toBeLessThan(steady[index] ?? 0)
  })

  test('ends its series with the token counts of the last view', async () => {
    const session = readSession('made up', longSession(300))
    const replay = new Replay(session, { age: { maxToolOutputAge: 3 } })
    expect(await runReplay(replay, signal, () => undefined)).toBe(true)
    const series = replay.series()
    const { report } = createView(replay, session.requests.length - 1)
    expect(series.requests.length).toBe(240)
    expect(series.before.at(-1)).toBe(report.tokensBefore)
    expect(series.after.at(-1)).toBe(report.tokensAfter)
  })

  test('stops when its signal is aborted', async () => {
    const session = readSession('made up', longSession(4000))
    const stopped = new AbortController()
    const running = runReplay(new Replay(session, {}), stopped.signal, () => undefined)
    stopped.abort()
    expect(await running).toBe(false)
  })
})
