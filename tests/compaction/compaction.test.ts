import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Format, recall } from 'trimtab'
import {
  COMPACTION_PROMPT,
  type CompactOptions,
  compact,
  compactionPrompt,
  contextWarning,
  createContextMonitor,
  isSummary,
  SUMMARY_SECTIONS,
  shouldCompact,
} from 'trimtab/compaction'
import { convertMessages } from 'trimtab/formats'
import { estimateTokens } from 'trimtab/tokens'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { conversation, format } from '../node/conversation.js'
import { problems } from '../node/oracle.js'
import { runs } from '../node/random.js'
import { FORMATS, type Message, write } from '../node/write.js'

const call = (id: string, name = 'read_file', args: object = { path: `${id}.ts` }) => ({
  role: 'assistant',
  content: `I call ${id}`,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
})
const result = (id: string, content = 'text\n'.repeat(200), more: object = {}) => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...more,
})
const long: Message[] = [
  { role: 'system', content: 'You are careful.' },
  { role: 'user', content: 'Make the parser faster' },
  ...Array.from({ length: 10 }, (_, i) => [call(`c${i}`), result(`c${i}`)]).flat(),
  { role: 'assistant', content: 'It is twice as fast.' },
  { role: 'user', content: 'And now the printer' },
  ...Array.from({ length: 6 }, (_, i) => [call(`d${i}`), result(`d${i}`)]).flat(),
]
const always: CompactOptions = { threshold: 0, keepRecentMessages: 5 }

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

describe('compact with a model', () => {
  test("recognises a provider's compaction after messages that fit several formats", async () => {
    const talk = Array.from({ length: 20 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `${i} ${'and so on '.repeat(50)}` }],
    }))
    const compaction = { type: 'compaction', content: 'They talked.', signature: 'EqQB' }
    const summarize = async () => ({ role: 'assistant', content: [compaction] })
    const made = await compact(talk, { ...always, summarize })
    expect(made).toMatchObject({ by: 'provider', compacted: true })
    expect(made.failure).toBeUndefined()
    expect(made.messages[0]).toEqual({ role: 'assistant', content: [compaction] })
  })

  test('replaces the older messages with the summary of the model', async () => {
    deepFreeze(long)
    const asked: string[] = []
    const summarize: CompactOptions['summarize'] = async (prompt, { messages, signal }) => {
      asked.push(prompt)
      expect(signal).toBeUndefined()
      // Includes the user's last message, although it stays: it tells the model what the work is for.
      expect(messages).toEqual(long.slice(1, -6))
      return '  ## 1. Task Overview\nA faster printer.  '
    }
    const made = await compact(long, { ...always, summarize })
    expect(made).toMatchObject({
      compacted: true,
      by: 'model',
      reason: null,
      summary: '## 1. Task Overview\nA faster printer.',
    })
    expect(made.history).toBe(long)
    // The system message, the summary, the user's last message, and whole pairs: one message more than
    // requested.
    expect(made.messages).toEqual([
      long[0],
      {
        role: 'user',
        content: expect.stringMatching(
          /^\[Summary of the conversation so far\. It stands for \d+ earlier messages\.\]\n\n## 1\. /,
        ),
      },
      { role: 'user', content: 'And now the printer' },
      ...long.slice(-6),
    ])
    for (const message of made.messages.slice(2)) expect(long).toContain(message)
    expect(made.messages.map(isSummary)).toEqual(made.messages.map((_, i) => i === 1))
    expect(made.dropped.indices).toHaveLength(long.length - 6 - 2)
    expect(made.tokensAfter).toBeLessThan(made.tokensBefore)
    const [prompt = ''] = asked
    expect(prompt.startsWith(COMPACTION_PROMPT)).toBe(true)
    for (const section of [
      'Task Overview',
      'Current State',
      'Important Discoveries',
      'Next Steps',
      'Context to Preserve',
    ]) {
      expect(prompt).toContain(section)
      expect(SUMMARY_SECTIONS).toContain(section)
    }
    expect(prompt).toContain('[user]\nMake the parser faster')
    expect(prompt).toContain('[calls read_file {"path":"c0.ts"}]')
    expect(prompt).toContain('[result of read_file]\ntext')
  })

  test('leaves ephemeral content out of the prompt and the messages', async () => {
    const secret = 'seen once '.repeat(50)
    const marked = result('e', secret, { metadata: { ephemeral: true } })
    for (const at of [2, long.length]) {
      const history = [...long.slice(0, at), call('e'), marked, ...long.slice(at)]
      const summarize = async (prompt: string, { messages }: { messages: readonly object[] }) => {
        expect(prompt + JSON.stringify(messages)).not.toContain('seen once')
        return 'ok'
      }
      const made = await compact(history, { ...always, summarize })
      expect(made.by).toBe('model')
      expect(JSON.stringify(made.messages)).not.toContain('seen once')
      expect(JSON.stringify((await compact(history, always)).messages)).not.toContain('seen once')
    }
  })

  test('clips long results in the prompt without splitting characters', async () => {
    const history = [...long.slice(0, 2), call('x'), result('x', '😀'.repeat(4000)), ...long.slice(2)]
    let asked = ''
    const summarize = async (prompt: string) => {
      asked = prompt
      return 'ok'
    }
    await compact(history, { ...always, summarize, maxToolResultLength: 1001 })
    expect(asked).toContain('of 8000 characters left out ...]')
    expect(asked).toBe(asked.replace(/\p{Surrogate}/gu, ''))
    expect(asked.length).toBeLessThan(COMPACTION_PROMPT.length + 25_000)
  })

  test.each([
    ['fails', async () => Promise.reject(new Error('overloaded')), /overloaded/],
    ['answers nothing', async () => ' \n', /must return the summary/],
    ['answers no text', async () => undefined as unknown as string, /must return the summary/],
  ])('falls back to a mechanical summary when the model %s', async (_, summarize, why) => {
    const made = await compact(long, { ...always, summarize })
    expect(made).toMatchObject({ compacted: true, by: 'mechanical' })
    expect(String(made.failure)).toMatch(why)
  })

  test('rejects with the reason of an abort', async () => {
    const controller = new AbortController()
    const summarize: CompactOptions['summarize'] = async (_, { signal }) => {
      controller.abort(new Error('stopped'))
      signal?.throwIfAborted()
      return 'late'
    }
    await expect(compact(long, { ...always, summarize, signal: controller.signal })).rejects.toThrow(
      'stopped',
    )
    await expect(compact(long, { ...always, signal: controller.signal })).rejects.toThrow('stopped')
  })

  test('stops waiting for the model on abort', async () => {
    const summarize = () => new Promise<string>(() => undefined)
    const controller = new AbortController()
    const made = compact(long, { ...always, summarize, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('stopped')), 5)
    await expect(made).rejects.toThrow('stopped')
  })
})

test('compact without a model summarises the history and states what was dropped', async () => {
  const edit = { path: 'src/a.ts', old_string: 'a', new_string: 'b', intent: 'Fewer copies' }
  const history = [
    ...long.slice(0, 2),
    call('r', 'edit_file', edit),
    result('r', 'Edited src/a.ts'),
    call('f', 'bash', { command: 'make' }),
    result('f', 'Error: no rule to make target\nmore'),
    ...long.slice(2),
  ]
  const { by, dropped, messages, summary } = await compact(history, always)
  expect(by).toBe('mechanical')
  for (const section of SUMMARY_SECTIONS) expect(summary).toContain(section)
  expect(summary).toContain('- Make the parser faster')
  expect(summary).toContain('- src/a.ts: Fewer copies')
  expect(summary).toContain('- bash: Error: no rule to make target')
  expect(summary).toContain('- Files read: c0.ts, c1.ts')
  expect(summary).toContain(
    `Dropped: ${dropped.indices.length} messages with 15 tool calls, about ${dropped.tokens} tokens`,
  )
  expect(problems(messages, 'openai-chat')).toEqual([])
})

test('a second compaction replaces the summary of the first', async () => {
  const first = await compact(long, { ...always, summarize: async () => 'FIRST' })
  const history = [...first.messages, ...long.slice(2, 22)]
  let asked = ''
  const second = await compact(history, {
    ...always,
    summarize: async (prompt) => {
      asked = prompt
      return 'SECOND'
    },
  })
  expect(asked).toContain('FIRST')
  expect(second.messages.filter(isSummary)).toHaveLength(1)
  expect(JSON.stringify(second.messages)).not.toContain('FIRST')
  expect(second.messages).toContain(long.find(({ content }) => content === 'And now the printer'))
})

test('a summary counts the messages behind the one that it replaces, and says how many prompts it leaves out', async () => {
  const questions = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => [
      { role: 'user', content: `Question ${from + i}: ${'why? '.repeat(50)}` },
      { role: 'assistant', content: `Answer ${from + i}: ${'because. '.repeat(50)}` },
    ]).flat()
  const options = { threshold: 0, keepRecentMessages: 2 }
  const first = await compact(questions(0, 20), options)
  const second = await compact([...first.messages, ...questions(20, 30)], options)
  const third = await compact([...second.messages, ...questions(30, 40)], {
    ...options,
    summarize: async () => 'short',
  })
  const stands = ({ messages }: { messages: object[] }) =>
    /It stands for (\d+) earlier messages/.exec(JSON.stringify(messages))?.[1]
  expect([first, second, third].map(stands)).toEqual(['38', '58', '78'])
  expect(first.summary).toContain('- Question 0')
  expect(first.summary).toContain('(13 others left out)\n- Question 14')
  expect(second.summary?.match(/others left out/g)).toHaveLength(1)
})

test.each([
  ['itself', (messages: object[]) => messages],
  ['a copy', (messages: object[]) => JSON.parse(JSON.stringify(messages)) as object[]],
])('summaries without a model that replace earlier ones do not nest: %s', async (_, kept) => {
  const edit = { path: 'src/a.ts', old_string: 'a', new_string: 'b', intent: 'Fewer copies' }
  let history: object[] = [
    ...long.slice(0, 2),
    call('e', 'edit_file', edit),
    result('e', 'Edited src/a.ts'),
    call('f', 'bash', { command: 'make' }),
    result('f', 'Error: no rule to make target'),
    ...long.slice(2),
  ]
  let summary = ''
  for (let round = 0; round < 4; round++) {
    const made = await compact(kept(history), always)
    summary = made.summary ?? ''
    for (const section of SUMMARY_SECTIONS) expect(summary.split(section)).toHaveLength(2)
    history = [...made.messages, { role: 'user', content: `Round ${round}` }, ...long.slice(2, 22)]
  }
  expect(summary).not.toContain('[Summary of the conversation')
  expect(summary.split('was made without a model')).toHaveLength(2)
  for (const item of ['Make the parser faster', 'src/a.ts: Fewer copies', 'Error: no rule', 'Round 1'])
    expect(summary).toContain(`- ${item.startsWith('Error') ? 'bash: ' : ''}${item}`)
})

test("a summary without a model keeps what a model's summary says, in its sections", async () => {
  const said = `## Task Overview\nShip the parser.\nBy Friday.\n\n## 3. Important Discoveries\n- The cache is stale.\n\n## Context to Preserve\n- Write in French.`
  const first = await compact(long, { ...always, summarize: async () => said })
  const { summary } = await compact([...first.messages, ...long.slice(2, 22)], always)
  expect(summary).toContain('## 1. Task Overview\nShip the parser.\nBy Friday.\n')
  expect(summary).toContain('## 3. Important Discoveries\n- The cache is stale.\n')
  expect(summary).toContain('## 5. Context to Preserve\n- Write in French.\n')
})

test('summaries without a model stay short after many rounds', async () => {
  let history: object[] = long
  const lengths: number[] = []
  for (let round = 0; round < 30; round++) {
    const { messages, summary } = await compact(history, always)
    lengths.push(summary?.length ?? 0)
    history = [
      ...messages,
      { role: 'user', content: `Round ${round}: ${'more '.repeat(300)}` },
      ...long.slice(2, 22),
    ]
  }
  expect(Math.max(...lengths)).toBeLessThan(12_000)
})

test('the summary is marked in metadata if messages have metadata, and the mark survives JSON', async () => {
  const history = long.map((message) => ({ ...message, metadata: {} }))
  const { messages } = await compact(history, always)
  expect(messages[1]).toMatchObject({ metadata: { compaction: true } })
  const loaded = JSON.parse(JSON.stringify(messages)) as object[]
  expect(loaded.map(isSummary)).toEqual(messages.map(isSummary))
})

test('recall finds dropped results in the full history', async () => {
  const { history } = await compact(long, always)
  const original = (long[3] as { content: string }).content
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(original))
  const reference = Buffer.from(digest).toString('hex').slice(0, 8)
  const found = (() => {
    try {
      return recall(history, reference).text
    } catch (error) {
      return String(error)
    }
  })()
  expect(found).toBe(original)
})

test('a summary longer than the dropped messages is replaced by a mechanical one', async () => {
  const bloated = await compact(long, { ...always, summarize: async () => 'x'.repeat(1e6) })
  const { tokensAfter, summary } = await compact(long, always)
  expect(bloated).toMatchObject({ compacted: true, by: 'mechanical', reason: null, tokensAfter, summary })
  expect(bloated.failure).toMatchObject({ code: 'invalid_option', argument: 'summarize' })
})

test('compact does nothing below the threshold, without messages to drop or without gain', async () => {
  const tokens = (await compact(long, { threshold: 1e6 })).tokensBefore
  const untouched = { compacted: false, summary: null, by: null, dropped: { indices: [], tokens: 0 } }
  expect(await compact(long)).toMatchObject({ ...untouched, reason: 'below-threshold' })
  expect(await compact(long, { threshold: tokens + 1 })).toMatchObject({ reason: 'below-threshold' })
  expect((await compact(long, { threshold: tokens })).compacted).toBe(true)
  expect(await compact(long, { threshold: 0, keepRecentMessages: 100 })).toMatchObject({
    ...untouched,
    reason: 'nothing-to-drop',
  })
  expect(await compact([])).toMatchObject({ ...untouched, messages: [] })
  const short = [...'abcd'].map((content) => ({ role: 'user', content }))
  const bloated = await compact(short, {
    threshold: 0,
    keepRecentMessages: 1,
    summarize: async () => 'x'.repeat(1e6),
  })
  expect(bloated).toMatchObject({ ...untouched, reason: 'no-gain', messages: short })
  expect(shouldCompact(long)).toBe(false)
  expect(shouldCompact(long, { threshold: tokens })).toBe(true)
  await expect(compact(long, { threshold: -1 })).rejects.toMatchObject({
    code: 'invalid_option',
    argument: 'threshold',
  })
  await expect(compact(long, { summarize: 'x' as never })).rejects.toMatchObject({ argument: 'summarize' })
  await expect(compact('x' as never)).rejects.toMatchObject({ code: 'invalid_messages' })
})

test('compact keeps every valid history valid, in every format', async () => {
  let compacted = 0
  await fc.assert(
    fc.asyncProperty(
      conversation,
      format,
      fc.nat(12),
      fc.boolean(),
      async (turns, form, keepRecentMessages, hasModel) => {
        const history = deepFreeze(write(turns, form))
        expect(problems(history, form)).toEqual([])
        const model = hasModel ? { summarize: async () => 'short' } : {}
        const made = await compact(history, { threshold: 0, keepRecentMessages, format: form, ...model })
        expect(problems(made.messages, form)).toEqual([])
        expect(made.tokensAfter).toBeLessThanOrEqual(made.tokensBefore)
        if (made.compacted) {
          compacted++
          expect(made.messages.length).toBeGreaterThanOrEqual(Math.min(keepRecentMessages, history.length))
          expect(made.messages.filter(isSummary)).toHaveLength(1)
        }
      },
    ),
    runs,
  )
  expect(compacted).toBeGreaterThan(100)
})

const DATA = new URL('../../../shared/data/', import.meta.url)
const sessions = existsSync(DATA) ? readdirSync(DATA).filter((name) => !name.endsWith('.md')) : []
if (sessions.length === 0) console.log('real sessions: skipped, ../shared/data is not there')

describe.each(sessions)('compact of the session %s', (name) => {
  const transcript = readTranscript(readFileSync(new URL(name, DATA), 'utf8'))

  test.each(FORMATS)('adds no format errors in %s', async (form) => {
    const { messages } = convertMessages(transcript.messages, form, { format: transcript.format })
    const cuts = [0.3, 0.6, 1].map((part) => Math.ceil(messages.length * part))
    for (const length of cuts) {
      const history = messages.slice(0, length)
      const made = await compact(history, { threshold: 0, keepRecentMessages: 6, format: form as Format })
      const known = new Set(problems(history, form).map((problem) => problem.replace(/^\d+/, '')))
      const news = problems(made.messages, form).filter((problem) => !known.has(problem.replace(/^\d+/, '')))
      expect(news).toEqual([])
      if (made.compacted) expect(estimateTokens(made.summary ?? '')).toBeLessThan(6000)
    }
  })
})

describe('createContextMonitor', () => {
  test('warns once each time usage crosses the limit', () => {
    const monitor = createContextMonitor({ window: 1000, warnAt: 0.8, compactAt: 900 })
    const seen = [100, 799, 800, 850, 950, 500, 810, 900].map((tokens) => monitor.check(tokens))
    const warnings = seen.map(({ warning }) => warning)
    expect(warnings).toEqual([null, null, contextWarning(80), null, null, null, contextWarning(81), null])
    expect(seen.map(({ compact: is }) => is)).toEqual([false, false, false, false, true, false, false, true])
    expect(warnings[2]).toContain('⚠️ CONTEXT APPROACHING LIMIT')
    expect(seen[3]?.percentage).toBe(85)
  })

  test('continues from a saved warning state', () => {
    const monitor = createContextMonitor({ warned: true })
    expect(monitor.check(170_000)).toMatchObject({ warning: null, compact: true })
    expect(monitor.warned).toBe(true)
    expect(monitor.check(1).compact).toBe(false)
    expect(monitor.warned).toBe(false)
  })

  test.each([
    ['window', { window: 0 }],
    ['warnAt', { warnAt: 80 }],
    ['compactAt', { compactAt: Number.NaN }],
  ])('refuses an invalid %s', (argument, options) => {
    expect(() => createContextMonitor(options)).toThrow(
      expect.objectContaining({ code: 'invalid_option', argument }),
    )
  })
})

test('the prompt of a part of a history has no ephemeral content', () => {
  const secret = {
    role: 'tool',
    tool_call_id: 'a',
    content: 'SECRET '.repeat(50),
    metadata: { ephemeral: true },
  }
  const messages = [
    { role: 'user', content: 'go' },
    call('a'),
    secret,
    { role: 'assistant', content: 'done' },
  ]
  expect(compactionPrompt(messages)).not.toContain('SECRET')
  expect(compactionPrompt(messages)).toContain('[Ephemeral content was removed.]')
})
