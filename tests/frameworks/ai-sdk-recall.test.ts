// The tool `recall` of the AI SDK, where the SDK gives it other forms of the messages than the adapter has seen.
import * as ai7 from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import * as ai6 from 'ai-6'
import { MockLanguageModelV3 } from 'ai-6/test'
import { clearOldToolUses, type Policy } from 'trimtab'
import { trimtab } from 'trimtab/ai-sdk'
import { describe, expect, test } from 'vitest'

const POLICY: Policy = {
  ...clearOldToolUses({ trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: 1 } }),
  protect: { failureTokens: 0 },
  recall: true,
}
type Trim = ReturnType<typeof trimtab>

const referenceIn = (sent: unknown) => /recall ([0-9a-f]{8})/.exec(JSON.stringify(sent))?.[1] ?? ''
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model's answer: a call, or a text at the end. */
function answerOf(call: { toolName: string; args: object } | undefined, i: number) {
  const end = { usage, warnings: [] }
  if (call === undefined)
    return {
      content: [{ type: 'text' as const, text: 'Done.' }],
      finishReason: { unified: 'stop' as const, raw: 'stop' },
      ...end,
    }
  const { toolName, args } = call
  const part = { type: 'tool-call' as const, toolCallId: `r${i}`, toolName, input: JSON.stringify(args) }
  return { content: [part], finishReason: { unified: 'tool-calls' as const, raw: 'x' }, ...end }
}

/** Answers with these calls in turn; each can depend on the prompt. */
function answers(calls: readonly ((prompt: object[]) => { toolName: string; args: object })[]) {
  const prompts: object[][] = []
  const doGenerate = async ({ prompt }: { prompt: object[] }) => {
    const call = calls[prompts.push(prompt) - 1]
    return answerOf(call?.(prompt), prompts.length)
  }
  return { prompts, doGenerate }
}

const recallOf = (reference: (prompt: object[]) => string) => (prompt: object[]) => ({
  toolName: 'recall',
  args: { reference: reference(prompt) },
})

/** The output that the last prompt has for its last result. */
const lastOutput = (prompts: readonly object[][]): unknown => {
  const message = prompts.at(-1)?.at(-1) as { content: { output: object }[] } | undefined
  return message?.content.at(-1)?.output
}

/** Sends messages of a chat once, with a model that recalls: returns what the model sees. */
type Send = (trim: Trim, shown: ai7.UIMessage[], reference?: string) => Promise<unknown>
const SEND: Record<string, Send> = {
  'AI SDK 7': async (trim, shown, reference) => {
    const { prompts, doGenerate } = answers([recallOf((prompt) => reference ?? referenceIn(prompt))])
    const messages = await ai7.convertToModelMessages(shown)
    const model = new MockLanguageModelV4({ doGenerate })
    await ai7.generateText({ model, messages, tools: trim.tools, stopWhen: ai7.stepCountIs(2) })
    return lastOutput(prompts)
  },
  'AI SDK 6': async (trim, shown, reference) => {
    const { prompts, doGenerate } = answers([recallOf((prompt) => reference ?? referenceIn(prompt))])
    const messages = await ai6.convertToModelMessages(shown as ai6.UIMessage[])
    const model = new MockLanguageModelV3({ doGenerate })
    await ai6.generateText({ model, messages, tools: trim.tools, stopWhen: ai6.stepCountIs(2) })
    return lastOutput(prompts)
  },
}

type Result = (i: number) => object
const rows = (i: number) => `row ${i}\n`.repeat(300)
const text: Result = (i) => ({ state: 'output-available', output: rows(i) })
const json: Result = (i) => ({ state: 'output-available', output: { rows: rows(i), i } })
const error: Result = (i) => ({ state: 'output-error', errorText: rows(i) })

/** A chat with two results in each turn. */
function chatOf(turns: number, result: Result, name = 'chat'): ai7.UIMessage[] {
  const user = (text: string) => ({
    id: text,
    role: 'user' as const,
    parts: [{ type: 'text' as const, text }],
  })
  const use = (i: number) => [
    { type: 'step-start' },
    { type: 'tool-bash', toolCallId: `c${i}`, input: { i }, ...result(i) },
  ]
  const turn = (t: number) => [
    user(`${name}: turn ${t}`),
    {
      id: `${name} ${t}`,
      role: 'assistant' as const,
      parts: [...use(2 * t), ...use(2 * t + 1), { type: 'step-start' }, { type: 'text', text: 'done' }],
    } as ai7.UIMessage,
  ]
  return [...Array.from({ length: turns }, (_, t) => turn(t)).flat(), user('And now?')]
}

describe.each(Object.entries(SEND))('recall from a view of UI messages, %s', (_, send) => {
  test.each([
    ['texts', 1, text, rows(0)],
    ['texts', 3, text, rows(0)],
    ['objects', 1, json, JSON.stringify({ rows: rows(0), i: 0 })],
    ['objects', 3, json, JSON.stringify({ rows: rows(0), i: 0 })],
    ['errors', 1, error, rows(0)],
    ['errors', 3, error, rows(0)],
  ] as const)('gives back %s of %i turns', async (_, turns, result, value) => {
    using trim = trimtab(POLICY)
    for (const id of ['chat', undefined])
      expect(await send(trim, trim.view(chatOf(turns, result), { id }))).toEqual({ type: 'text', value })
  })

  test.each([true, false])('reads the chat that asks, of several (ids: %s)', async (hasIds) => {
    using trim = trimtab(POLICY)
    const chats = ['a', 'b', 'c'].map((name, n) => {
      const messages = chatOf(2, (i) => text(10 * n + i), name)
      return { n, view: trim.view(messages, hasIds ? { id: name } : {}) }
    })
    for (const { n, view } of chats) {
      expect(await send(trim, view)).toEqual({ type: 'text', value: rows(10 * n) })
      for (const other of chats.filter((each) => each.n !== n))
        expect(await send(trim, view, referenceIn(other.view))).toMatchObject({
          value: expect.stringMatching(/^Error: /),
        })
    }
  })

  test('tells chats apart that begin alike', async () => {
    using trim = trimtab(POLICY)
    const views = [0, 1].map((n) =>
      trim.view(
        chatOf(1, (i) => text(10 * n + i)),
        { id: `chat-${n}` },
      ),
    )
    for (const [n, view] of views.entries())
      expect(await send(trim, view)).toEqual({ type: 'text', value: rows(10 * n) })
  })

  test('finds nothing in a chat that was dropped, or in another one', async () => {
    using trim = trimtab(POLICY, { maxConversations: 1 })
    const view = trim.view(chatOf(2, text, 'a'))
    const other = trim.view(chatOf(2, (i) => text(10 + i), 'b'))
    for (const reference of [referenceIn(view), referenceIn(other)])
      expect(await send(trim, view, reference)).toMatchObject({ value: expect.stringMatching(/^Error: /) })
  })

  test('does not give back ephemeral results', async () => {
    const temporary = chatOf(1, text).map((message) =>
      message.role === 'assistant' ? { ...message, metadata: { ephemeral: true } } : message,
    )
    using shows = trimtab(POLICY)
    const reference = referenceIn(shows.view(chatOf(1, text)))
    using trim = trimtab({ ...POLICY, ephemeral: true })
    const view = trim.view(temporary)
    expect(JSON.stringify(view)).not.toContain('row 0')
    expect(await send(trim, view, reference)).toMatchObject({ value: expect.stringMatching(/^Error: /) })
  })
})

const DATA = Buffer.from('\x89PNG screenshot '.repeat(200)).toString('base64')
const ADDRESS = 'https://example.com/a.png'
type Parts7 = Extract<ai7.ToolResultPart['output'], { type: 'content' }>['value']
type Parts6 = Extract<ai6.ToolResultPart['output'], { type: 'content' }>['value']

/** An id is short, and would not be cleared alone. */
const LONG = { type: 'text' as const, text: rows(0) }

/** Parts with files that both versions take, by their names. */
const FILES = {
  'file-data': [{ type: 'file-data', data: DATA, mediaType: 'application/pdf', filename: 'a.pdf' }],
  'image-data': [{ type: 'image-data', data: DATA, mediaType: 'image/png' }],
  'image-url': [{ type: 'image-url', url: ADDRESS }],
  'file-url': [{ type: 'file-url', url: 'https://example.com/a.pdf', mediaType: 'application/pdf' }],
  'file-id': [LONG, { type: 'file-id', fileId: 'f1' }],
  'image-file-id': [LONG, { type: 'image-file-id', fileId: 'f1' }],
} satisfies Record<string, Parts6 & Parts7>
const FILES_6: Record<string, Parts6> = {
  ...FILES,
  media: [{ type: 'media', data: DATA, mediaType: 'image/png' }],
  'text and file': [{ type: 'text', text: 'see' }, ...FILES['image-data']],
}
const FILES_7: Record<string, Parts7> = {
  ...FILES,
  'file, data first': [{ type: 'file', data: { type: 'data', data: DATA }, mediaType: 'image/png' }],
  'file, media type first': [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: DATA } }],
  'file, bytes': [{ type: 'file', data: { type: 'data', data: Buffer.from(DATA) }, mediaType: 'image/png' }],
  'file, address': [{ type: 'file', data: { type: 'url', url: new URL(ADDRESS) }, mediaType: 'image/png' }],
  'file, reference': [
    { type: 'file', data: { type: 'reference', reference: { mock: 'f1' } }, mediaType: 'image/png' },
  ],
  'text and file': [{ type: 'text', text: 'see' }, ...FILES['image-data']],
}
const supportedUrls = { '*/*': [/.*/] }
const look = () => ({ toolName: 'look', args: {} })
const CALLS = [look, look, recallOf(referenceIn)]
const tool = { inputSchema: ai7.jsonSchema<object>({ type: 'object' }), execute: () => 'x' }

/** Checks that a recalled result is what the model saw at first, and that a further turn is possible. */
function expectRecalled(prompts: readonly object[][]): void {
  expect(prompts).toHaveLength(5)
  const [, first, asked, given] = prompts as [object[], object[], object[], object[]]
  expect(referenceIn(asked)).not.toBe('')
  expect(lastOutput([given])).toEqual(lastOutput([first]))
}

test.each(Object.entries(FILES_7))('the middleware of AI SDK 7 gives back %s', async (_, value) => {
  using trim = trimtab(POLICY)
  const { prompts, doGenerate } = answers(CALLS)
  const plain = new MockLanguageModelV4({ supportedUrls, doGenerate })
  const model = ai7.wrapLanguageModel({ model: plain, middleware: trim.middleware })
  const tools = {
    look: ai7.tool({ ...tool, toModelOutput: () => ({ type: 'content', value }) }),
    ...trim.tools,
  }
  const messages: ai7.ModelMessage[] = [{ role: 'user', content: 'go' }]
  const { responseMessages } = await ai7.generateText({
    model,
    tools,
    messages,
    stopWhen: ai7.stepCountIs(5),
  })
  await ai7.generateText({
    model,
    tools,
    messages: [...messages, ...responseMessages, { role: 'user', content: 'And now?' }],
  })
  expectRecalled(prompts)
})

test.each(Object.entries(FILES_6))('the middleware of AI SDK 6 gives back %s', async (_, value) => {
  using trim = trimtab(POLICY)
  const { prompts, doGenerate } = answers(CALLS)
  const plain = new MockLanguageModelV3({ supportedUrls, doGenerate })
  const model = ai6.wrapLanguageModel({ model: plain, middleware: trim.middlewareV3 })
  const inputSchema = ai6.jsonSchema<object>({ type: 'object' })
  const tools = {
    look: ai6.tool({ ...tool, inputSchema, toModelOutput: () => ({ type: 'content', value }) }),
    ...trim.tools,
  }
  const messages: ai6.ModelMessage[] = [{ role: 'user', content: 'go' }]
  const { response } = await ai6.generateText({ model, tools, messages, stopWhen: ai6.stepCountIs(5) })
  await ai6.generateText({
    model,
    tools,
    messages: [...messages, ...response.messages, { role: 'user', content: 'And now?' }],
  })
  expectRecalled(prompts)
})
