import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import {
  type Diagnosis,
  diagnose,
  diagnoseSession,
  type Miss,
  requestCost,
  type SentRequest,
} from 'trimtab/money'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { type Body, CacheProvider } from './cache-provider.js'

/** Events before a request of a log, and the causes that the diagnosis must report. */
const EVENTS = {
  pause: 'expired',
  tools: 'tools-changed',
  toolOrder: 'tools-changed',
  system: 'system-changed',
  thinking: 'settings-changed',
  model: 'model-changed',
  resume: 'resumed',
  evict: 'unknown',
  clear: 'message-changed policy cleared',
  edit: 'message-changed host changed',
  insert: 'message-changed host inserted',
  remove: 'message-changed host removed',
  reorder: 'message-changed client reordered',
  rewrite: 'message-changed client rewritten',
} as const
type Event = keyof typeof EVENTS

const of = (...events: Event[]) => fc.constantFrom(...events)
const change = of('clear', 'edit', 'insert', 'remove', 'reorder', 'rewrite')
const front = of('tools', 'toolOrder', 'system', 'thinking', 'model')

/** No event, one event, or two that do not undo each other. */
const events = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Event[]>([]) },
  { weight: 4, arbitrary: fc.oneof(of('pause', 'evict', 'resume'), change, front).map((one) => [one]) },
  { weight: 2, arbitrary: fc.tuple(of('pause', 'resume'), fc.oneof(change, front)) },
  { weight: 1, arbitrary: fc.tuple(front, change) },
  { weight: 1, arbitrary: fc.tuple(of('pause'), of('resume')) },
)

const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => `word${(seed * 7919 + at * 104_729) % 9973}`).join(' ')

/** A log of requests of one conversation, with the expected labels of each request. */
function logOf(steps: readonly Event[][], hasUsage: boolean) {
  const provider = new CacheProvider()
  const tool = (name: string) => ({
    name,
    description: words(60, name.length),
    input_schema: { type: 'object' },
  })
  const body: Body = {
    model: 'claude-sonnet-4-5',
    tools: [tool('Read'), tool('Bash'), tool('Edit')],
    system: [{ type: 'text', text: words(900, 1), cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: words(300, 2) }],
  }
  for (let at = 0; at < 8; at++) body.messages.push(...exchange(at))
  let [time, session, count] = [1_780_000_000_000, 1, 100]
  const labels: string[][] = []
  const requests = steps.map((happened, step): SentRequest => {
    if (step > 0) body.messages.push(...exchange(count++))
    // A first request has no misses, whatever happened before.
    const now = step === 0 ? [] : happened
    time += now.includes('pause') ? 1_000_000 : 20_000
    if (now.includes('resume')) session++
    if (now.includes('evict') || now.includes('resume')) provider.evict()
    for (const event of now) happen(body, event, count++)
    const sent = marked(body)
    const usage = provider.answer(sent, time)
    // Without usage, a lost cache entry cannot be seen.
    const isSeen = hasUsage || now.length > 1 || !(now.includes('evict') || now.includes('resume'))
    labels.push(isSeen ? now.map((event) => EVENTS[event]) : [])
    return { body: sent, time, session: `s${session}`, ...(hasUsage ? { usage } : {}) }
  })
  return { requests, labels }
}

/** A call with its result; every third result is followed by text of the user. */
function exchange(at: number): Body['messages'] {
  const id = `toolu_${at}`
  const input = { file_path: `/src/file${at}.ts`, limit: 10 + at }
  const said = at % 3 === 0 ? [{ type: 'text', text: words(12, at + 5) }] : []
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: words(20, at) },
        { type: 'tool_use', id, name: 'Read', input },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: words(150, at + 3) }, ...said],
    },
  ]
}

function happen(body: Body, event: Event, seed: number): void {
  const { messages } = body
  switch (event) {
    case 'tools':
      body.tools = [...body.tools, { name: `mcp_${seed}`, description: words(20, seed), input_schema: {} }]
      return
    case 'toolOrder':
      body.tools = [...body.tools.slice(1), body.tools[0] as Body['tools'][number]]
      return
    case 'system':
      body.system = [{ ...body.system[0], text: `${words(900, seed)}` }]
      return
    case 'thinking':
      body.thinking = { type: 'enabled', budget_tokens: 1000 + seed }
      return
    case 'model':
      body.model = `claude-sonnet-4-5-${seed}`
      return
    case 'clear':
      body.messages = messages.map((message, at) => (at < 8 ? cleared(message, seed) : message))
      return
    case 'edit':
      body.messages = messages.with(0, { role: 'user', content: `${words(300, 2)} ${seed}` })
      return
    case 'insert':
      body.messages = messages.toSpliced(1, 0, ...exchange(seed * 1000))
      return
    case 'remove':
      body.messages = messages.toSpliced(1, 2)
      return
    case 'reorder':
      body.messages = messages.toSpliced(1, 4, ...messages.slice(3, 5), ...messages.slice(1, 3))
      return
    case 'rewrite':
      body.messages = messages.with(1, respelled(messages[1] as Body['messages'][number]))
      return
    default:
  }
}

/** Results of a message as a policy leaves them: shorter with each seed. */
function cleared(message: Body['messages'][number], seed: number): Body['messages'][number] {
  if (typeof message.content === 'string') return message
  const content = message.content.map((block) =>
    block.type === 'tool_result' ? { ...block, content: '.'.repeat(Math.max(0, 900 - seed)) } : block,
  )
  return { ...message, content }
}

/** The same input with its keys in reverse order. */
function respelled({ content, role }: Body['messages'][number]): Body['messages'][number] {
  const blocks = (content as Record<string, unknown>[]).map((block) => {
    if (block.type !== 'tool_use') return block
    const input = Object.fromEntries(Object.entries(block.input as object).reverse())
    return { ...block, input }
  })
  return { role, content: blocks as Body['tools'] }
}

/** The body with its newest block marked for the cache, as clients send it. */
function marked(body: Body): Body {
  const copy = structuredClone(body)
  const last = copy.messages.at(-1) as Body['messages'][number]
  if (typeof last.content === 'string') last.content = [{ type: 'text', text: last.content }]
  ;(last.content.at(-1) as Body['tools'][number]).cache_control = { type: 'ephemeral' }
  return copy
}

const labelOf = ({ by, cause, how }: Miss['causes'][number]) =>
  [cause, by, how].filter((word) => word !== undefined).join(' ')

/** The reported labels of each request, without misses that are only rounding. */
function labelled({ misses, requests }: Diagnosis): string[][] {
  return Array.from({ length: requests }, (_, request) => {
    const miss = misses.find((one) => one.request === request)
    return (miss?.causes ?? []).map(labelOf).sort()
  })
}

describe('diagnose with known causes', () => {
  test.each([
    ['with reported usage', true],
    ['from the bodies alone', false],
  ])('%s: reports exactly the causes of each request', (_, hasUsage) => {
    let checked = 0
    fc.assert(
      fc.property(fc.array(events, { minLength: 2, maxLength: 6 }), (steps) => {
        const { labels, requests } = logOf(steps, hasUsage)
        const diagnosis = diagnose(requests)
        expect(labelled(diagnosis)).toEqual(labels.map((some) => [...some].sort()))
        expect(diagnosis.missed).toBe(diagnosis.causes.reduce((sum, { tokens }) => sum + tokens, 0))
        checked += labels.flat().length
      }),
      runs,
    )
    expect(checked).toBeGreaterThan(300)
  })
})

/** A request and the next one, which continues it. */
function twoRequests(
  change: (next: Body) => void,
  usage: (body: Body) => object | undefined = () => undefined,
) {
  const first: Body = {
    model: 'claude-sonnet-4-5',
    tools: [],
    system: [{ type: 'text', text: words(900, 1) }],
    messages: [{ role: 'user', content: words(300, 2) }, ...exchange(1)],
  }
  const next = structuredClone({ ...first, messages: [...first.messages, ...exchange(2)] })
  change(next)
  return [first, next].map((body): SentRequest => {
    const reported = usage(body)
    const sent = marked(body)
    return reported === undefined ? { body: sent } : { body: sent, usage: reported }
  })
}

const onlyMiss = (requests: readonly SentRequest[]): Miss => {
  const { misses } = diagnose(requests)
  expect(misses).toHaveLength(1)
  return misses[0] as Miss
}

describe('diagnose with consecutive requests', () => {
  test('reports a prompt below the model’s minimum as too short', () => {
    const requests = twoRequests((next) => {
      next.messages.push({ role: 'user', content: words(2000, 3) })
    }).map(({ body }): SentRequest => ({ body: { ...body, system: [], model: 'claude-opus-4-6' } }))
    expect(onlyMiss(requests).causes).toMatchObject([{ cause: 'too-short', leastTokens: 4096 }])
  })

  test('reports a missing cache mark', () => {
    const requests = twoRequests(() => {}).map(({ body }): SentRequest => {
      const { messages, ...rest } = body as Body
      const bare = messages.map(({ content, role }) => ({
        role,
        content:
          typeof content === 'string' ? content : content.map(({ cache_control: _, ...block }) => block),
      }))
      return { body: { ...rest, messages: bare } }
    })
    expect(onlyMiss(requests).causes.map(labelOf)).toEqual(['not-marked'])
  })

  test('computes exact tokens and cost from reported usage', () => {
    const usage = { input_tokens: 0, output_tokens: 9 }
    const requests = twoRequests(() => {}).map(
      (request, at): SentRequest => ({
        ...request,
        time: at * 400_000,
        usage: {
          ...usage,
          cache_read_input_tokens: 0,
          cache_creation_input_tokens: [10_000, 12_000][at],
        },
      }),
    )
    const diagnosis = diagnose(requests)
    expect(diagnosis).toMatchObject({ isReported: true, input: 22_000, read: 0, missed: 10_000 })
    const cold = requestCost({ cached: 0, written: 12_000 }, diagnosis.prices)
    const warm = requestCost({ cached: 10_000, written: 2000 }, diagnosis.prices)
    expect(diagnosis.missedCost).toBeCloseTo(cold - warm, 6)
    expect(diagnosis.misses[0]?.causes).toMatchObject([
      { cause: 'expired', pauseSeconds: 400, cacheSeconds: 300 },
    ])
  })

  test('counts a changed system prompt as missed, and no more than was readable', () => {
    const requests = twoRequests((next) => {
      next.system = [{ type: 'text', text: words(900, 1).replace('word', 'WORD') }]
    })
    const { misses } = diagnose(requests)
    expect(misses[0]?.readable).toBe(diagnose(requests.slice(0, 1)).input)
    expect(misses[0]?.causes).toMatchObject([{ cause: 'system-changed', tokens: misses[0]?.readable }])
  })

  test('ignores moved cache marks and text given as a list', () => {
    expect(diagnose(twoRequests(() => {})).misses).toEqual([])
  })

  test('reports no miss for a return to an earlier point', () => {
    const [first, next] = twoRequests(() => {}) as [SentRequest, SentRequest]
    expect(diagnose([next, first]).misses).toEqual([])
  })

  test('ignores requests of other conversations in between', () => {
    const [first, next] = twoRequests(() => {}) as [SentRequest, SentRequest]
    const title = {
      body: { model: 'claude-haiku-4-5', messages: [{ role: 'user', content: 'A title, please.' }] },
    }
    expect(diagnose([first, title, next]).misses).toEqual([])
  })

  test('names an added tool and a changed setting', () => {
    const tools = twoRequests((next) => {
      next.tools = [{ name: 'Grep', description: 'Searches.' }]
      next.thinking = { type: 'adaptive' }
    })
    expect(onlyMiss(tools).causes).toMatchObject([
      { cause: 'tools-changed', names: ['Grep'] },
      { cause: 'settings-changed', names: ['thinking'], tokens: 0 },
    ])
  })

  test.each([
    ['model_changed', 'model-changed'],
    ['system_changed', 'system-changed'],
    ['tools_changed', 'tools-changed'],
    ['messages_changed', 'message-changed'],
  ])('reports the provider’s reason %s as the main cause', (type, cause) => {
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 9000,
      output_tokens: 1,
    }
    const requests = twoRequests(
      () => {},
      () => usage,
    )
    const [first, next] = requests as [SentRequest, SentRequest]
    const told = { ...next, missReason: type }
    const miss = onlyMiss([first, told])
    expect(miss.provider).toBe(type)
    expect(miss.causes.reduce((one, other) => (other.tokens > one.tokens ? other : one)).cause).toBe(cause)
  })

  test('determines the cause if the provider does not know it', () => {
    const usage = {
      input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 9000,
      output_tokens: 1,
    }
    const [first, next] = twoRequests(
      () => {},
      () => usage,
    ) as [SentRequest, SentRequest]
    const miss = onlyMiss([first, { ...next, time: 0, missReason: 'previous_message_not_found' }])
    expect(miss).toMatchObject({ provider: null, causes: [{ cause: 'unknown', tokens: 9000 }] })
  })

  test('handles the automatic cache of OpenAI', () => {
    const said = (at: number) => [
      { role: 'assistant', content: words(40, at) },
      { role: 'user', content: words(300, at) },
    ]
    const system = { role: 'system', content: words(1500, 1) }
    const body = (messages: object[]) => ({ model: 'gpt-5.4', messages })
    const usage = (input: number, cached: number) => ({
      prompt_tokens: input,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: cached },
    })
    const one = [system, ...said(1), ...said(2)]
    const edited = [{ ...system, content: words(1500, 9) }, ...one.slice(1), ...said(3), ...said(4)]
    const { misses, prices } = diagnose([
      { body: body(one), usage: usage(4000, 0) },
      { body: body([...one, ...said(3)]), usage: usage(4600, 3968) },
      { body: body(edited), usage: usage(5200, 0) },
    ])
    expect(misses.map(({ causes, request }) => [request, ...causes.map(labelOf)])).toEqual([
      [2, 'system-changed'],
    ])
    expect(prices.cacheWrite).toBe(1)
  })
})

describe('diagnoseSession with sessions of Claude Code', () => {
  const data = new URL('../../../shared/data/', import.meta.url)
  if (!existsSync(data)) console.log('real sessions: skipped, ../shared/data is not there')

  test.skipIf(!existsSync(data))('finds a cause for 95 % of the tokens sent again', () => {
    const files = readdirSync(data).filter((file) => file.startsWith('claude-code'))
    let [missed, unknown] = [0, 0]
    for (const file of files) {
      const transcript = readTranscript(readFileSync(new URL(file, data), 'utf8'), { history: 'full' })
      const diagnosis = diagnoseSession(transcript)
      missed += diagnosis.missed
      unknown += diagnosis.causes.find(({ cause }) => cause === 'unknown')?.tokens ?? 0
    }
    console.log(`${files.length} sessions: ${missed} tokens sent again, ${unknown} of them without a cause`)
    expect(missed).toBeGreaterThan(100_000)
    expect(unknown).toBeLessThanOrEqual(0.05 * missed)
  })
})
