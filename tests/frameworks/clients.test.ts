// The providers' own clients, in a loop with a Context, against a strict local provider.
import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { Context, recallTool } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { expectTurn, POLICY } from './expectations.js'
import { fileText, Provider, STEPS } from './provider.js'

interface Turn {
  provider: Provider
  thread: string
  /** The conversation's own, for its next turn too. */
  context: Context
  signal?: AbortSignal
}

const prompt = (thread: string) => `${thread}: read all files`
const parameters = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] }
const description = 'Reads.'

/** The loop's answer to a call. */
function run(context: Context, { thread }: Turn, name: string, args: unknown): string {
  if (name === 'recall') return context.answerRecall(args) as string
  return fileText(thread, (args as { path: string }).path)
}

const options = ({ signal }: Turn) => (signal === undefined ? {} : { signal })

async function chat(turn: Turn, isStream: boolean): Promise<object[]> {
  const client = new OpenAI({ apiKey: 'none', baseURL: turn.provider.address })
  const read_file = { type: 'function' as const, function: { name: 'read_file', description, parameters } }
  const tools = [read_file, recallTool('openai-chat')]
  const { context } = turn
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: prompt(turn.thread) }]
  for (let step = 0; step <= STEPS; step++) {
    const request = { model: 'm', messages: context.project(messages).messages, tools }
    const completion = isStream
      ? await client.chat.completions
          .stream({ ...request, stream_options: { include_usage: true } }, options(turn))
          .finalChatCompletion()
      : await client.chat.completions.create(request)
    context.calibrate(completion.usage)
    const { message } = completion.choices[0] as OpenAI.ChatCompletion.Choice
    messages.push(message)
    for (const call of message.tool_calls ?? []) {
      if (call.type !== 'function') continue
      const content = run(context, turn, call.function.name, JSON.parse(call.function.arguments))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
  return messages
}

async function responses(turn: Turn, isStream: boolean): Promise<object[]> {
  const client = new OpenAI({ apiKey: 'none', baseURL: turn.provider.address })
  const read_file = { type: 'function' as const, name: 'read_file', description, parameters, strict: false }
  const tools = [read_file, recallTool('openai-responses')]
  const { context } = turn
  const items: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: prompt(turn.thread) }]
  for (let step = 0; step <= STEPS; step++) {
    const request = { model: 'm', input: context.project(items).messages, tools, store: false }
    const response = isStream
      ? await client.responses.stream(request, options(turn)).finalResponse()
      : await client.responses.create(request)
    context.calibrate(response.usage)
    items.push(...(response.output as OpenAI.Responses.ResponseInputItem[]))
    for (const item of response.output) {
      if (item.type !== 'function_call') continue
      const output = run(context, turn, item.name, JSON.parse(item.arguments))
      items.push({ type: 'function_call_output', call_id: item.call_id, output })
    }
  }
  return items
}

async function anthropic(turn: Turn, isStream: boolean): Promise<object[]> {
  const client = new Anthropic({ apiKey: 'none', baseURL: turn.provider.origin })
  const tools = [{ name: 'read_file', description, input_schema: parameters }, recallTool('anthropic')]
  const { context } = turn
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt(turn.thread) }]
  for (let step = 0; step <= STEPS; step++) {
    const request = { model: 'm', max_tokens: 1000, messages: context.project(messages).messages, tools }
    const { content, usage } = isStream
      ? await client.messages.stream(request, options(turn)).finalMessage()
      : await client.messages.create(request)
    context.calibrate(usage)
    messages.push({ role: 'assistant', content })
    const results = content.flatMap((block) =>
      block.type === 'tool_use'
        ? [
            {
              type: 'tool_result' as const,
              tool_use_id: block.id,
              content: run(context, turn, block.name, block.input),
            },
          ]
        : [],
    )
    if (results.length > 0) messages.push({ role: 'user', content: results })
  }
  return messages
}

async function listOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const each of stream) list.push(each)
  return list
}

async function google(turn: Turn, isStream: boolean): Promise<object[]> {
  const httpOptions = { baseUrl: turn.provider.origin, retryOptions: { attempts: 3 } }
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions })
  const read_file = { name: 'read_file', description, parametersJsonSchema: parameters }
  const { signal } = turn
  const abort = signal === undefined ? {} : { abortSignal: signal }
  const config = { tools: [{ functionDeclarations: [read_file] }, recallTool('gemini')], ...abort }
  const { context } = turn
  const contents: Content[] = [{ role: 'user', parts: [{ text: prompt(turn.thread) }] }]
  for (let step = 0; step <= STEPS; step++) {
    const request = { model: 'm', contents: context.project(contents).messages, config }
    const answers = isStream
      ? await listOf(await client.models.generateContentStream(request))
      : [await client.models.generateContent(request)]
    context.calibrate(answers.at(-1)?.usageMetadata)
    const parts = answers.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    contents.push({ role: 'model', parts })
    const results = parts.flatMap(({ functionCall: call }) =>
      call === undefined
        ? []
        : [
            {
              functionResponse: {
                name: call.name ?? '',
                response: { output: run(context, turn, call.name ?? '', call.args) },
              },
            },
          ],
    )
    if (results.length > 0) contents.push({ role: 'user', parts: results })
  }
  return contents
}

const CLIENTS = {
  'openai, Chat Completions': chat,
  'openai, Responses': responses,
  '@anthropic-ai/sdk': anthropic,
  '@google/genai': google,
}

describe.each(Object.entries(CLIENTS))('%s', (_, play) => {
  test.each([
    ['whole', false],
    ['streamed', true],
  ] as const)('two threads at once run 60 steps with %s answers', async (_, isStream) => {
    await using provider = await new Provider().start()
    // The clients retry, as these statuses ask for.
    provider.failures.push(500, 503)
    const threads = ['thread-one', 'thread-two']
    const playIn = async (thread: string) => {
      using context = new Context(POLICY)
      return await play({ provider, thread, context }, isStream)
    }
    const histories = await Promise.all(threads.map(playIn))
    expect(provider.refused).toEqual([])
    for (const [i, thread] of threads.entries()) expectTurn(histories[i] as object[], thread, provider)
  })

  test('a stream ended by an abort leaves the conversation unchanged', async () => {
    await using provider = await new Provider().start()
    using context = new Context(POLICY)
    const turn = { provider, thread: 'thread-one', context }
    provider.hangs = 1
    const controller = new AbortController()
    const aborted = play({ ...turn, signal: controller.signal }, true).catch((error: unknown) => error)
    while (provider.hangs > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    controller.abort()
    expect(await aborted).toBeInstanceOf(Error)
    expectTurn(await play(turn, true), turn.thread, provider)
    expect(provider.refused).toEqual([])
  })
})
