import {
  type BlockFacts,
  Context,
  clearOldToolUses,
  type Policy,
  project,
  readMessages,
  recall,
  recallTool,
  smartRetention,
} from 'trimtab'
import { describe, expect, test } from 'vitest'

const lines = Array.from({ length: 400 }, (_, i) => `line ${i + 1}${i === 122 ? ' with an error' : ''}`)
const LOG = `${lines.join('\n')}\n`

const use = (id: string, content: unknown, metadata?: object) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }],
  },
  { role: 'tool', tool_call_id: id, content, ...(metadata === undefined ? {} : { metadata }) },
]

const policy = clearOldToolUses({
  trigger: { type: 'tool_uses', value: 0 },
  keep: { type: 'tool_uses', value: 0 },
})
const referenceIn = (text: unknown) => /recall ([0-9a-f]{8})\]/.exec(String(text))?.[1] as string

describe('recall', () => {
  const messages = [...use('a', LOG), ...use('b', 'two\r\nlines'.repeat(99))]
  const { messages: view } = project(messages, policy)
  const reference = referenceIn(view[1]?.content)

  test('returns the original of every stub', () => {
    expect(view[1]?.content).toBe(
      `[Tool result cleared to save context. Re-run the tool if needed.] [recall ${reference}]`,
    )
    expect(recall(messages, reference)).toMatchObject({
      message: 1,
      tool: 'bash',
      text: LOG,
      totalLines: 400,
    })
    expect(recall(messages, referenceIn(view[3]?.content)).text).toBe(messages[3]?.content)
    expect(recall(JSON.parse(JSON.stringify(messages)), reference).text).toBe(LOG)
  })

  test('returns the original of clipped output', () => {
    const { messages: clipped } = project(messages, {
      ...smartRetention(),
      clip: { max: 100 },
      summarize: false,
    })
    const text = String(clipped[1]?.content)
    expect(text).toMatch(/\.\.\. \[truncated: 3,\d\d\d chars total, 400 lines; recall [0-9a-f]{8}\] \.\.\./)
    expect(recall(messages, referenceIn(text)).text).toBe(LOG)
  })

  test('accepts a whole stub as its reference', () => {
    expect(recall(messages, String(view[1]?.content)).text).toBe(LOG)
  })

  test('joins the parts of a list by line feeds, as textOf does', () => {
    const parts = ['first part', `second\n${'part'.repeat(500)}`].map((text) => ({ type: 'text', text }))
    const some = use('a', parts)
    const view = project(some, policy).messages
    const found = recall(some, referenceIn(JSON.stringify(view[1])))
    expect(found).toMatchObject({
      text: parts.map(({ text }) => text).join('\n'),
      totalLines: 3,
      content: parts,
    })
    const history = readMessages(some)
    const [result] = history.blocks().filter(({ kind }) => kind === 'tool-result')
    expect(history.textOf(result as BlockFacts)).toBe(found.text)
  })

  test.each([
    ['clip', { clip: { max: 1000 }, ephemeral: true }],
    ['summarize', { summarize: true, ephemeral: true }],
    ['budget', { budget: { maxTokens: 1500, keepSteps: 1 }, ephemeral: true }],
    ['smart retention', { ...smartRetention(), ephemeral: true }],
  ] as [string, Policy][])(
    'shows and names nothing of an ephemeral result after its turn, under %s',
    (_, policy) => {
      // The mark may also come after the result was clipped or summarized.
      for (const marksAt of [0, 8]) {
        const context = new Context(policy)
        const secret = 'SECRET page\nerror: SECRET2\n'.repeat(300)
        const messages: object[] = [{ role: 'user', content: 'go' }, ...use('e', secret)]
        const mark = () => Object.assign(messages[2] as object, { metadata: { ephemeral: true } })
        for (let i = 0; i < 16; i++) {
          if (i === marksAt) mark()
          messages.push(...use(`c${i}`, `log ${i}\n`.repeat(100)))
          const stub = String((context.project(messages).messages[2] as { content: string }).content)
          if (marksAt === 0 && stub !== secret) expect(stub).toBe('[Ephemeral content was removed.]')
        }
        messages.push({ role: 'assistant', content: 'done' }, { role: 'user', content: 'next' })
        const view = context.project(messages).messages
        expect(JSON.stringify(view)).not.toContain('SECRET')
        expect(view[2]).toMatchObject({ content: '[Ephemeral content was removed.]' })
      }
    },
  )

  test('is a tool in the form of each provider', () => {
    const { name, description, parameters } = recallTool()
    const fields = { name, description, parameters }
    expect(recallTool('openai-chat')).toEqual({ type: 'function', function: fields })
    expect(recallTool('openai-responses')).toEqual({ type: 'function', ...fields, strict: false })
    expect(recallTool('anthropic')).toEqual({ name, description, input_schema: parameters })
    expect(recallTool('gemini')).toEqual({
      functionDeclarations: [{ name, description, parametersJsonSchema: parameters }],
    })
    expect(() => recallTool('openai' as never)).toThrow('openai-chat, openai-responses')
  })

  test('returns a range of lines, or lines that match a pattern', () => {
    const some = (range: object) => recall(messages, reference, range)
    expect(some({ offset: 3, limit: 2 })).toMatchObject({ text: 'line 3\nline 4', lines: [3, 4] })
    expect(some({ offset: -2 })).toMatchObject({ text: 'line 399\nline 400', lines: [399, 400] })
    expect(some({ pattern: 'error' })).toMatchObject({ text: 'line 123 with an error', lines: [123] })
    expect(some({ pattern: /^line \d0$/gy, limit: 2 })).toMatchObject({ lines: [10, 20] })
    expect(some({ offset: 999 })).toMatchObject({ text: '', lines: [] })
    expect(() => some({ offset: 1.5 })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    expect(() => some({ pattern: 7 })).toThrow(expect.objectContaining({ argument: 'pattern' }))
  })

  test('explains why a reference cannot be resolved', () => {
    const asked = (text: unknown) => expect(() => recall(messages, text as string))
    asked('00000000').toThrow(/no result of this history has it: it was changed, or has left the history/)
    asked('nonsense').toThrow(/8 hexadecimal digits/)
    asked(7).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    const changed = messages.map((message, i) => (i === 1 ? { ...message, content: `${LOG}more` } : message))
    expect(() => recall(changed, reference)).toThrow(expect.objectContaining({ code: 'not_recallable' }))
  })

  test('does not return ephemeral content', () => {
    const secret = [
      ...use('a', LOG, { ephemeral: true }),
      ...use('b', 'x'),
      { role: 'user', content: 'next' },
    ]
    const { messages: view } = project(secret, { ...policy, ephemeral: true })
    expect(String(view[1]?.content)).not.toMatch(/recall/)
    expect(() => recall(secret, reference)).toThrow(/was ephemeral/)
  })

  test('returns ephemeral content that was also read normally', () => {
    const both = [...use('a', LOG), ...use('b', LOG, { ephemeral: true })]
    expect(recall(both, reference)).toMatchObject({ message: 1, text: LOG })
  })

  test('works on the last projection of a Context, also with arguments from a model', () => {
    using context = new Context(policy)
    expect(() => context.recall(reference)).toThrow(expect.objectContaining({ code: 'not_recallable' }))
    context.project(messages)
    expect(context.recall(reference, { limit: 1 }).text).toBe('line 1')
    expect(context.answerRecall({ reference })).toBe(LOG)
    expect(context.answerRecall({ reference, pattern: 'line 39' })).toMatch(/^\[11 of 400 lines\]\nline 39\n/)
    expect(context.answerRecall({ reference, pattern: 'nothing' })).toBe('No line of the 400 matches.')
    for (const args of [reference, ` ${reference}\n`, String(view[1]?.content)])
      expect(context.answerRecall(args)).toBe(LOG)
    expect(context.recall(String(view[1]?.content)).text).toBe(LOG)
    expect(context.answerRecall({ reference: 'ffffffff' })).toMatch(/^Error: "ffffffff" cannot be recalled: /)
    expect(context.answerRecall(undefined)).toMatch(/^Error: reference must be a string/)
    // Arguments as models and their providers write them.
    const [first] = LOG.split('\n')
    for (const args of [
      { reference, limit: 1 },
      JSON.stringify({ reference, limit: 1 }),
      { reference, offset: null, limit: '1', pattern: null },
      { reference: `recall ${reference}`, limit: 1 },
      { reference: `[cleared bash output, 9000 chars; recall ${reference.toUpperCase()}]`, limit: 1 },
    ]) {
      expect(context.answerRecall(args)).toBe(`[1 of 400 lines]\n${first}`)
    }
    expect(context.answerRecall({ reference, offset: 900 })).toMatch(/^None of the 400 lines: /)
    expect(context.answerRecall({ reference, limit: 'all' })).toMatch(
      /^Error: Context\.recall: limit must be a whole number/,
    )
    expect(context.answerRecall('{"reference":')).toMatch(/^Error: the arguments must be a JSON object/)
    const { name, parameters } = recallTool()
    expect(name).toBe('recall')
    expect(parameters).toMatchObject({ type: 'object', required: ['reference'] })
  })
})

describe('explain', () => {
  test('says why each block was kept or edited', () => {
    const messages = [
      { role: 'user', content: 'go' },
      ...use('a', LOG),
      ...use('b', 'short'),
      ...use('c', `Error: ${LOG}`),
      ...use('d', LOG),
    ]
    const { report } = project(messages, { ...policy, dedupe: true, protect: { tools: [] } })
    const reasons = messages.map((_, i) => report.explain(i).map(({ pass, reason }) => [pass, reason]))
    expect(reasons).toEqual([
      [[null, 'text is not edited']],
      [[null, 'a call is kept with its result']],
      [['clear', 'among the oldest when the context had grown too large']],
      [[null, 'a call is kept with its result']],
      [[null, 'too short to be worth a stub']],
      [[null, 'a call is kept with its result']],
      [[null, 'a failure is kept']],
      [[null, 'a call is kept with its result']],
      [['clear', 'among the oldest when the context had grown too large']],
    ])
    expect(report.explain(2)[0]).toMatchObject({ block: 0, kind: 'tool-result', tool: 'bash' })
    expect(() => report.explain(99)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })

  test('names age and files in use as reasons', () => {
    const read = (id: string) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"path":"a.ts"}` } }],
      },
      { role: 'tool', tool_call_id: id, content: LOG },
    ]
    const messages = [read('a'), use('b', LOG), use('c', LOG), read('d')].flat()
    const { report } = project(messages, { age: { maxToolOutputAge: 1 } })
    const reason = (i: number) => report.explain(i)[0]?.reason
    expect([1, 3, 5, 7].map(reason)).toEqual([
      'its file is in use',
      '2 steps old',
      'among the newest',
      'among the newest',
    ])
  })
})
