import fc from 'fast-check'
import { type Diagnosis, diagnose, diagnoseSession, type SentRequest } from 'trimtab/money'
import { readTranscript, writeTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { type Body, CacheProvider, type Usage } from './cache-provider.js'

type Life = '5m' | '1h'
const SECONDS = { '5m': 300, '1h': 3600 }
const WRITE = { '5m': 1.25, '1h': 2 }

const words = (count: number, seed: string) =>
  Array.from({ length: count }, (_, at) => `${seed}${(at * 104_729) % 9973}`).join(' ')
const mark = (ttl: Life) => ({ cache_control: { type: 'ephemeral', ttl } })

/** A conversation whose system prompt and messages are cached for these lives. */
interface Talk {
  name: string
  system: Life
  messages: Life
}

function bodyOf({ messages, name, system }: Talk, turns: number): Body {
  const count = 1 + 2 * turns
  return {
    model: 'claude-sonnet-4-5',
    tools: [],
    system: [{ type: 'text', text: words(1500, name), ...mark(system) }],
    messages: Array.from({ length: count }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [
        { type: 'text', text: words(300, `${name}${at}`), ...(at === count - 1 ? mark(messages) : {}) },
      ],
    })),
  }
}

/** A log of requests of several conversations, each after a pause in seconds. */
function logOf(steps: readonly { talk: Talk; pause: number }[]) {
  const provider = new CacheProvider()
  const turns = new Map<Talk, number>()
  let time = 1_780_000_000_000
  return steps.map(({ pause, talk }) => {
    time += pause * 1000
    const turn = turns.get(talk) ?? 0
    turns.set(talk, turn + 1)
    const body = bodyOf(talk, turn)
    return { talk, body, time, usage: provider.answer(body, time) }
  })
}

/** The cost that the provider's own figures give. */
function billed(usages: readonly Usage[]): number {
  return usages.reduce((sum, usage) => {
    const { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: short } = usage.cache_creation
    const written = short * WRITE['5m'] + hour * WRITE['1h']
    return sum + usage.input_tokens + 0.1 * usage.cache_read_input_tokens + written
  }, 0)
}

const life = fc.constantFrom<Life>('5m', '1h')
/** A mark of an hour comes before those of five minutes. */
const lives = fc
  .tuple(life, life)
  .map(([system, messages]) => ({ system: messages === '1h' ? messages : system, messages }))
const logs = fc
  .record({
    lives: fc.tuple(lives, lives),
    steps: fc.array(fc.record({ talk: fc.nat(1), pause: fc.constantFrom(20, 120, 700, 4000) }), {
      minLength: 2,
      maxLength: 7,
    }),
  })
  .map(({ lives: [a, b], steps }) => {
    const talks: Talk[] = [
      { name: 'a', ...a },
      { name: 'b', ...b },
    ]
    return steps.map(({ pause, talk }) => ({ pause, talk: talks[talk] as Talk }))
  })

/** The lives that ended before each request, according to the conversation's own marks. */
function expected(log: ReturnType<typeof logOf>): (number | null)[] {
  const last = new Map<Talk, number>()
  return log.map(({ talk, time }) => {
    const then = last.get(talk)
    last.set(talk, time)
    const pause = then === undefined ? 0 : (time - then) / 1000
    if (talk.system === '1h' && pause > SECONDS['1h']) return SECONDS['1h']
    return talk.messages === '5m' && pause > SECONDS['5m'] ? SECONDS['5m'] : null
  })
}

/** The life that each request's `expired` names. */
function found({ misses, requests }: Diagnosis): (number | null)[] {
  return Array.from({ length: requests }, (_, at) => {
    const causes = misses.find(({ request }) => request === at)?.causes ?? []
    expect(causes.filter(({ cause }) => cause !== 'expired')).toEqual([])
    return causes[0]?.cacheSeconds ?? null
  })
}

describe('a log with caches of five minutes and of an hour', () => {
  test('costs what the provider bills, and each conversation expires by its own lives', () => {
    fc.assert(
      fc.property(logs, (steps) => {
        const log = logOf(steps)
        const diagnosis = diagnose(log)
        expect(found(diagnosis)).toEqual(expected(log))
        expect(diagnosis.cost).toBeCloseTo(billed(log.map(({ usage }) => usage)), 6)
      }),
      runs,
    )
  })

  test('has the same causes without usage, by its marks', () => {
    fc.assert(
      fc.property(logs, (steps) => {
        const log = logOf(steps)
        const bare = log.map(({ body, time }): SentRequest => ({ body, time }))
        expect(found(diagnose(bare))).toEqual(expected(log))
      }),
      runs,
    )
  })

  test('has the prices of both lives', () => {
    const [short, hour] = ['5m', '1h'].map((one, at): Talk => {
      return { name: `talk${at}`, system: one as Life, messages: one as Life }
    }) as [Talk, Talk]
    const at = (talk: Talk) => ({ talk, pause: 20 })
    const priced = (steps: Talk[]) => diagnose(logOf(steps.map(at)))
    expect(priced([short, short])).toMatchObject({ hourWrite: null, prices: { cacheWrite: 1.25 } })
    expect(priced([hour, hour])).toMatchObject({ hourWrite: null, prices: { cacheWrite: 2 } })
    expect(priced([short, hour])).toMatchObject({ hourWrite: 2, prices: { cacheWrite: 1.25 } })
  })
})

describe('a session whose usage has both lives', () => {
  /** A transcript of Claude Code with these answers. */
  const sessionOf = (answers: { seconds: number; read: number; short: number; hour: number }[]) => {
    const lines = answers.flatMap(({ hour, read, seconds, short }, at) => {
      const timestamp = new Date(1_780_000_000_000 + seconds * 1000).toISOString()
      const base = { isSidechain: false, sessionId: 's', version: '2.1.0', cwd: '/p', timestamp }
      const usage = {
        input_tokens: 0,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: short + hour,
        cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: hour },
        output_tokens: 5,
      }
      const said = { role: 'user', content: `Question ${at}` }
      const answer = { id: `msg_${at}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' }
      const content = [{ type: 'text', text: `Answer ${at}` }]
      return [
        { ...base, type: 'user', uuid: `u${at}`, parentUuid: at === 0 ? null : `a${at - 1}`, message: said },
        {
          ...base,
          type: 'assistant',
          uuid: `a${at}`,
          parentUuid: `u${at}`,
          message: { ...answer, content, usage },
        },
      ]
    })
    return readTranscript(lines.map((line) => JSON.stringify(line)).join('\n'), { history: 'full' })
  }

  test('costs what the provider bills', () => {
    const session = sessionOf([
      { seconds: 0, read: 0, short: 2000, hour: 4000 },
      { seconds: 20, read: 6000, short: 500, hour: 0 },
    ])
    const diagnosis = diagnoseSession(session)
    expect(diagnosis.cost).toBeCloseTo(2000 * 1.25 + 4000 * 2 + 0.1 * 6000 + 500 * 1.25, 6)
    expect(diagnosis).toMatchObject({ hourWrite: 2, misses: [], prices: { cacheWrite: 1.25 } })
  })

  test('is written to a file and read again with both', () => {
    const { format, messages, requests, usage } = sessionOf([
      { seconds: 0, read: 0, short: 2000, hour: 4000 },
    ])
    expect(requests?.[1]?.writes).toEqual({ tokens: 6000, seconds: 3600, hourTokens: 4000 })
    const facts = { format, requests: requests ?? [], usage: usage ?? [] }
    const { text } = writeTranscript(messages, { kind: 'claude-code', ...facts })
    expect(readTranscript(text, { history: 'full' }).requests).toEqual(requests)
  })

  test('loses after ten minutes what lives five, and after two hours everything', () => {
    const session = sessionOf([
      { seconds: 0, read: 0, short: 2000, hour: 4000 },
      { seconds: 700, read: 4000, short: 2500, hour: 0 },
      { seconds: 8000, read: 0, short: 3000, hour: 4000 },
    ])
    const { misses } = diagnoseSession(session)
    const byRequest = [...misses].sort((one, other) => one.request - other.request)
    expect(byRequest.map(({ causes, tokens }) => [tokens, causes])).toMatchObject([
      [2000, [{ cause: 'expired', cacheSeconds: 300, tokens: 2000 }]],
      [6500, [{ cause: 'expired', cacheSeconds: 3600, tokens: 6500 }]],
    ])
  })

  test('does not blame a pause for what lives on', () => {
    const session = sessionOf([
      { seconds: 0, read: 0, short: 2000, hour: 4000 },
      { seconds: 700, read: 0, short: 2500, hour: 4000 },
    ])
    expect(diagnoseSession(session).misses[0]?.causes).toMatchObject([
      { cause: 'unknown', tokens: 4000 },
      { cause: 'expired', tokens: 2000 },
    ])
  })
})
