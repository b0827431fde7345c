import { Context, cacheAware, type Format, project, recall } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { problems } from './oracle.js'
import type { Message } from './write.js'

/** Data of a screenshot; screenshots differ only in their data. */
const dataOf = (i: number) => Buffer.from(`screenshot ${i} `.repeat(40)).toString('base64')

interface Shape {
  answer(i: number): Message
  result(i: number): Message
  /** Content of the result in the provider's format. */
  content(message: Message): unknown
}

const first = (list: unknown) => (list as Message[])[0] as Message
const url = (i: number) => `data:image/png;base64,${dataOf(i)}`
const chatCall = (i: number) => ({
  id: `c${i}`,
  type: 'function',
  function: { name: 'computer', arguments: '{}' },
})

/** A step of a computer-use agent in each format whose results can hold images. */
const SHAPES: Partial<Record<Format, Shape>> = {
  'openai-chat': {
    answer: (i) => ({ role: 'assistant', content: null, tool_calls: [chatCall(i)] }),
    result: (i) => ({
      role: 'tool',
      tool_call_id: `c${i}`,
      content: [{ type: 'image_url', image_url: { url: url(i) } }],
    }),
    content: (message) => message.content,
  },
  anthropic: {
    answer: (i) => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id: `c${i}`, name: 'computer', input: { action: 'screenshot' } }],
    }),
    result: (i) => {
      const source = { type: 'base64', media_type: 'image/png', data: dataOf(i) }
      const content = [{ type: 'image', source }]
      return { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${i}`, content }] }
    },
    content: (message) => first(message.content).content,
  },
  'openai-responses': {
    answer: (i) => ({ type: 'function_call', call_id: `c${i}`, name: 'computer', arguments: '{}' }),
    result: (i) => ({
      type: 'function_call_output',
      call_id: `c${i}`,
      output: [{ type: 'input_image', image_url: url(i), detail: 'auto' }],
    }),
    content: (message) => message.output,
  },
  'ai-sdk': {
    answer: (i) => ({
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: `c${i}`, toolName: 'computer', input: {} }],
    }),
    result: (i) => {
      const value = [{ type: 'media', data: dataOf(i), mediaType: 'image/png' }]
      const result = { type: 'tool-result', toolCallId: `c${i}`, toolName: 'computer' }
      return { role: 'tool', content: [{ ...result, output: { type: 'content', value } }] }
    },
    content: (message) => first(message.content).output,
  },
  gemini: {
    answer: (i) => ({
      role: 'model',
      parts: [{ functionCall: { id: `c${i}`, name: 'computer', args: {} } }],
    }),
    result: (i) => {
      const parts = [{ inlineData: { mimeType: 'image/png', data: dataOf(i) } }]
      const functionResponse = { id: `c${i}`, name: 'computer', response: { output: 'taken' }, parts }
      return { role: 'user', parts: [{ functionResponse }] }
    },
    content: (message) => first(message.parts).functionResponse,
  },
  langchain: {
    answer: (i) => ({
      type: 'ai',
      content: '',
      tool_calls: [{ id: `c${i}`, name: 'computer', args: {}, type: 'tool_call' }],
    }),
    result: (i) => ({
      type: 'tool',
      tool_call_id: `c${i}`,
      name: 'computer',
      content: [{ type: 'image_url', image_url: { url: url(i) } }],
    }),
    content: (message) => message.content,
  },
}

const PROMPTS: Partial<Record<Format, Message>> = {
  gemini: { role: 'user', parts: [{ text: 'book a flight' }] },
  langchain: { type: 'human', content: 'book a flight' },
}

const SCREENSHOTS = 120

function session(shape: Shape, format: Format): Message[] {
  const messages = [PROMPTS[format] ?? { role: 'user', content: 'book a flight' }]
  for (let i = 0; i < SCREENSHOTS; i++) messages.push(shape.answer(i), shape.result(i))
  return messages
}

/** The recall reference of each stub in a view, with its message. */
const stubsIn = (view: readonly object[]) =>
  view.flatMap((message, at) => {
    const reference = /\[cleared[^\]]*; recall ([0-9a-f]{8})\]/.exec(JSON.stringify(message))?.[1]
    return reference === undefined ? [] : [{ at, reference }]
  })

const each = Object.entries(SHAPES) as [Format, Shape][]

describe('120 screenshots', () => {
  test.each(each)(
    'in %s are cut by cacheAware to less than 15 percent of their tokens, and each can be recalled',
    (format, shape) => {
      const messages = session(shape, format)
      const context = new Context(cacheAware(), { format })
      let whole = 0
      let sent = 0
      let last: readonly object[] = []
      for (let length = 2; length <= messages.length; length += 2) {
        const { messages: view, report } = context.project(messages.slice(0, length + 1))
        expect(problems(view, format)).toEqual([])
        whole = report.tokensBefore
        sent = report.tokensAfter
        last = view
      }
      expect(whole).toBeGreaterThan(1600 * SCREENSHOTS)
      expect(sent / whole).toBeLessThan(0.15)
      const stubs = stubsIn(last)
      expect(stubs.length).toBeGreaterThan(SCREENSHOTS * 0.85)
      for (const { at, reference } of stubs) {
        const found = recall(messages, reference, { format })
        expect(found.message).toBe(at)
        expect(found.isText).toBe(false)
        expect(found.content).toBe(shape.content(messages[at] as Message))
        expect(context.answerRecall({ reference })).toBe(found.content)
      }
    },
  )

  test.each(each)('in %s are cleared to fit a budget', (format, shape) => {
    const { messages: view, report } = project(session(shape, format), {
      budget: { maxTokens: 50_000 },
      recall: true,
    })
    expect(report.fits).toBe(true)
    expect(report.tokensAfter).toBeLessThanOrEqual(50_000)
    expect(problems(view, format)).toEqual([])
    expect(project(view, { budget: { maxTokens: 50_000 }, recall: true }).messages).toEqual(view)
  })
})

/**
 * The provider only accepts a screenshot there. A blank one has no text, so its reference is only in the
 * report.
 */
describe("120 screenshots of OpenAI's computer tool", () => {
  const ofStep = (i: number) => [
    { type: 'computer_call', call_id: `c${i}`, action: { type: 'screenshot' }, status: 'completed' },
    {
      type: 'computer_call_output',
      call_id: `c${i}`,
      output: { type: 'computer_screenshot', image_url: url(i) },
    },
  ]
  const prompt = { role: 'user', content: 'book a flight' }
  const messages = [prompt, ...Array.from({ length: SCREENSHOTS }, (_, i) => ofStep(i)).flat()]

  test('are cut by cacheAware to less than 15 percent of their tokens, and each can be recalled', () => {
    const context = new Context(cacheAware())
    let last = context.project(messages.slice(0, 3))
    for (let length = 5; length <= messages.length; length += 2) {
      last = context.project(messages.slice(0, length))
      expect(problems(last.messages, 'openai-responses')).toEqual([])
    }
    const { edits, tokensBefore, tokensAfter } = last.report
    expect(tokensBefore).toBeGreaterThan(1600 * SCREENSHOTS)
    expect(tokensAfter / tokensBefore).toBeLessThan(0.15)
    expect(edits.length).toBeGreaterThan(SCREENSHOTS * 0.85)
    for (const { message, text } of edits) {
      const reference = /recall ([0-9a-f]{8})/.exec(text ?? '')?.[1] as string
      expect(context.recall(reference).content).toBe((messages[message] as { output: object }).output)
      const { output, ...item } = last.messages[message] as { output: { image_url: string } }
      expect(output).toEqual({
        type: 'computer_screenshot',
        image_url: expect.stringMatching(/^data:image.png;base64,.{90,120}$/),
      })
      expect(item).toEqual({ type: 'computer_call_output', call_id: expect.any(String) })
    }
    // After conversion to JSON, its blank screenshots are unchanged.
    const copy = JSON.parse(JSON.stringify(last.messages)) as object[]
    const again = project(copy, { age: { maxToolOutputAge: SCREENSHOTS } })
    expect(again.messages).toEqual(copy)
    expect(again.report.tokensBefore).toBeLessThan(tokensBefore * 0.15)
  })

  test('are cleared also if stored by file id', () => {
    const [call, { output: _, ...result } = {}] = ofStep(0)
    const stored = [
      prompt,
      call,
      { ...result, output: { type: 'computer_screenshot', file_id: 'f' } },
      ...ofStep(1),
    ]
    const view = project(stored as object[], { age: { maxToolOutputAge: 0 } }).messages
    expect(view[2]).toEqual({
      ...result,
      output: { type: 'computer_screenshot', image_url: expect.any(String) },
    })
  })

  test('keep the newest ones under the lists pass, and are not deduplicated', () => {
    const same = [prompt, ...ofStep(0), ...ofStep(0).map((item) => ({ ...item, call_id: 'again' }))]
    expect(project(same, { dedupe: true }).messages).toEqual(same)
    const kept = project(messages, { lists: { keep: 3, tools: ['computer'] } }).messages
    expect(kept.filter((item, i) => item === messages[i]).length).toBe(1 + SCREENSHOTS + 3)
  })
})

describe('images in results', () => {
  const anthropic = SHAPES.anthropic as Shape
  const marked = (message: Message) => ({ ...message, metadata: { ephemeral: true } })

  test('are cleared after their turn if ephemeral', () => {
    for (const [format, shape] of each) {
      if (format === 'langchain') continue
      const done =
        format === 'gemini'
          ? { role: 'model', parts: [{ text: 'booked' }] }
          : { role: 'assistant', content: 'booked' }
      const prompt = PROMPTS[format] ?? { role: 'user', content: 'book a flight' }
      const messages = [prompt, shape.answer(0), marked(shape.result(0)), done]
      const { messages: view } = project(messages, { ephemeral: true })
      expect(JSON.stringify(view)).not.toContain(dataOf(0))
      expect(problems(view, format)).toEqual([])
    }
  })

  test('get a stub with their tool, number, tokens and step', () => {
    const messages = [
      { role: 'user', content: 'go' },
      ...[0, 1].flatMap((i) => [anthropic.answer(i), anthropic.result(i)]),
    ]
    const { messages: view } = project(messages, { age: { maxToolOutputAge: 0 }, recall: true })
    expect(JSON.stringify(view[2])).toMatch(
      /\[cleared computer output, 1 image, 1600 tokens, step 1; recall [0-9a-f]{8}\]/,
    )
  })

  test('are recalled whole, or by lines of the text beside them', () => {
    const text = 'one\ntwo\n'
    const content = [{ type: 'text', text }, ...(anthropic.content(anthropic.result(0)) as object[])]
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c0', content }] }
    const messages = [
      { role: 'user', content: 'go' },
      anthropic.answer(0),
      result,
      anthropic.answer(1),
      anthropic.result(1),
    ]
    const context = new Context({ age: { maxToolOutputAge: 0 }, recall: true })
    const reference = stubsIn(context.project(messages).messages)[0]?.reference as string
    expect(context.answerRecall({ reference })).toBe(content)
    expect(context.answerRecall({ reference, offset: 2 })).toBe('[1 of 2 lines]\ntwo')
  })
})
