// The OpenAI Agents SDK against a strict local provider.
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type Model,
  type ModelProvider,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import { clearOldToolUses } from 'trimtab'
import { toResponsesItems, trimtab } from 'trimtab/openai-agents'
import { beforeAll, describe, expect, test } from 'vitest'
import { PendingCalls } from '../../js/dist/adapters/pending-calls.js'
import { expectTurnAfterAbort, expectTurns, POLICY, type Turn as TurnOf } from './expectations.js'
import { fileText, type Provider, STEPS } from './provider.js'

type Trim = ReturnType<typeof trimtab>

beforeAll(() => setTracingDisabled(true))

const providerOf = (provider: Provider, useResponses: boolean) =>
  new OpenAIProvider({ apiKey: 'none', baseURL: provider.address, useResponses })

function agentOf(trim: Trim, thread: string, model: string | Model = 'm', recall = 'recall') {
  const read_file = tool({
    name: 'read_file',
    description: 'Reads.',
    strict: false,
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: true,
    },
    execute: (args) => fileText(thread, (args as { path: string }).path),
  })
  return new Agent({
    name: 'reader',
    instructions: 'You read files.',
    model,
    tools: [read_file, tool({ ...trim.recall, name: recall })],
  })
}

type Turn = TurnOf<Trim>

const maxTurns = STEPS + 2
const prompt = (thread: string) => `${thread}: read all files`

function runnerOf({ provider, trim }: Turn, useResponses = true): Runner {
  return new Runner({ modelProvider: trim.modelProvider(providerOf(provider, useResponses)) })
}

/** Ways to use the adapter: each plays a turn and returns the items that the application holds after it. */
const WAYS: Record<string, (turn: Turn) => Promise<AgentInputItem[]>> = {
  'Responses, run': async (turn) => {
    const result = await runnerOf(turn).run(agentOf(turn.trim, turn.thread), prompt(turn.thread), {
      maxTurns,
    })
    return result.history
  },
  'Responses, streamed, with a session': async (turn) => {
    const session = new MemorySession()
    const options = { maxTurns, session, stream: true as const }
    const result = await runnerOf(turn).run(agentOf(turn.trim, turn.thread), prompt(turn.thread), options)
    let text = ''
    for await (const piece of result.toTextStream()) text += piece
    await result.completed
    expect(text).toContain(`${turn.thread} is done.`)
    return session.getItems()
  },
  'Chat Completions, run': async (turn) => {
    const agent = agentOf(turn.trim, turn.thread)
    return (await runnerOf(turn, false).run(agent, prompt(turn.thread), { maxTurns })).history
  },
  'the model of one agent': async (turn) => {
    const model = turn.trim.model(await providerOf(turn.provider, true).getModel('m'), 'm')
    const agent = agentOf(turn.trim, turn.thread, model)
    return (await new Runner().run(agent, prompt(turn.thread), { maxTurns })).history
  },
}

describe.each(Object.entries(WAYS))('%s', (name, play) => {
  test('two threads at once run 60 steps without a refused request', () =>
    expectTurns(
      trimtab,
      async (turn) => toResponsesItems(await play(turn)),
      name.startsWith('Chat') ? { system: 'You read files.' } : {},
    ))
})

test('`recall` may have another name', () =>
  expectTurns(
    trimtab,
    async (turn) => {
      const agent = agentOf(turn.trim, turn.thread, 'm', 'get_back')
      return toResponsesItems((await runnerOf(turn).run(agent, prompt(turn.thread), { maxTurns })).history)
    },
    { recall: 'get_back' },
  ))

test('a stream ended by an abort leaves the conversation unchanged', () =>
  expectTurnAfterAbort(
    trimtab,
    async (turn, controller) => {
      const options = { maxTurns, stream: true as const, signal: controller.signal }
      const agent = agentOf(turn.trim, turn.thread)
      const result = await runnerOf(turn, false).run(agent, prompt(turn.thread), options)
      for await (const piece of result.toTextStream()) {
        if (piece === '') continue
        controller.abort()
        break
      }
    },
    async (turn) => toResponsesItems(await (WAYS['Chat Completions, run'] as (typeof WAYS)[string])(turn)),
    'You read files.',
  ))

/** A model that records its requests and answers nothing. */
class Listener implements Model {
  readonly requests: object[] = []
  readonly #usage = { inputTokens: 10, outputTokens: 1, totalTokens: 11 }

  getResponse(request: object): ReturnType<Model['getResponse']> {
    this.requests.push(request)
    return Promise.resolve({ usage: this.#usage, output: [] } as unknown as Awaited<
      ReturnType<Model['getResponse']>
    >)
  }

  // biome-ignore lint/correctness/useYield: it has no output
  async *getStreamedResponse(): AsyncGenerator<never> {
    await Promise.resolve()
  }

  get supportsPromptModelSelection(): boolean {
    return this.#usage.totalTokens === 11
  }
}

type ModelRequest = Parameters<Model['getResponse']>[0]
const requestOf = (input: object[], more: object = {}) =>
  ({
    input,
    modelSettings: {},
    tools: [],
    handoffs: [],
    outputType: 'text',
    tracing: false,
    ...more,
  }) as unknown as ModelRequest

/** Parts of a history with every kind of item of the SDK. */
const text = 'line\n'.repeat(400)
const pair = (callId: string, output: unknown): object[] => [
  {
    type: 'function_call',
    callId,
    name: 'look',
    arguments: '{}',
    status: 'completed',
    providerData: { a: 1 },
  },
  { type: 'function_call_result', callId, name: 'look', status: 'completed', output },
]
const image = { type: 'input_image', image: 'data:image/png;base64,iVBORw0KGgo=' }
const ITEMS: object[] = [
  {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'go' }, image, { type: 'input_file', file: { id: 'f' } }],
  },
  {
    type: 'reasoning',
    id: 'rs',
    content: [{ type: 'input_text', text: 'hm' }],
    providerData: { encryptedContent: 'x' },
  },
  ...pair('a', { type: 'text', text: `a ${text}` }),
  ...pair('b', `b ${text}`),
  ...pair('c', [{ type: 'input_text', text: `c ${text}` }, image]),
  ...pair('d', { type: 'image', image: { url: 'https://example.com/d.png' } }),
  { type: 'shell_call', callId: 's', action: { commands: ['ls'] } },
  {
    type: 'shell_call_output',
    callId: 's',
    output: [{ stdout: text, stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
  },
  { type: 'computer_call', callId: 'p', status: 'completed', action: { type: 'screenshot' } },
  {
    type: 'computer_call_result',
    callId: 'p',
    output: { type: 'computer_screenshot', data: 'data:image/png;base64,iVBO' },
  },
  {
    type: 'apply_patch_call',
    callId: 'q',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a' },
  },
  { type: 'apply_patch_call_output', callId: 'q', status: 'completed', output: 'done' },
  {
    type: 'hosted_tool_call',
    name: 'web_search_call',
    id: 'ws',
    status: 'completed',
    providerData: { type: 'web_search' },
  },
  { type: 'compaction', encrypted_content: 'y' },
  ...pair('e', `e ${text}`),
  {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'done' }],
  },
]

describe('a wrapped model', () => {
  test('receives unedited items as the same objects and edited ones in the SDK’s shape', async () => {
    const listener = new Listener()
    using trim = trimtab({
      ...clearOldToolUses({
        trigger: { type: 'tool_uses', value: 1 },
        keep: { type: 'tool_uses', value: 0 },
      }),
      recall: true,
    })
    const model = trim.model(listener)
    const before = structuredClone(ITEMS)
    await model.getResponse(requestOf(ITEMS))
    const { input } = listener.requests[0] as { input: object[] }
    expect(ITEMS).toEqual(before)
    expect(input).toHaveLength(ITEMS.length)
    const changed = input.flatMap((item, i) => (item === ITEMS[i] ? [] : [i]))
    // Whenever more than one result is shown, all shown results are cleared; only the last one stays.
    expect(changed.map((i) => (ITEMS[i] as { callId: string }).callId)).toEqual([
      'a',
      'b',
      'c',
      'd',
      's',
      'p',
    ])
    for (const i of changed) {
      const { output, ...rest } = input[i] as { output: unknown; callId: string }
      const { output: _, ...whole } = ITEMS[i] as { output: unknown }
      expect(rest).toEqual(whole)
      // The result of a computer call stays a screenshot.
      const blank = { type: 'computer_screenshot', data: expect.stringMatching(/^data:image.png/) }
      if (rest.callId === 'p') expect(output).toEqual(blank)
      else expect(JSON.stringify(output)).toMatch(/recall [0-9a-f]{8}/)
    }
  })

  test('receives the request unchanged if OpenAI stores the history, with one warning', async () => {
    const listener = new Listener()
    const warnings: string[] = []
    using trim = trimtab(POLICY, { onWarning: ({ code }) => warnings.push(code) })
    const model = trim.model(listener)
    for (const more of [{ conversationId: 'conv_1' }, { previousResponseId: 'resp_1' }]) {
      const request = requestOf(ITEMS, more)
      await model.getResponse(request)
      expect(listener.requests.at(-1)).toBe(request)
    }
    expect(warnings).toEqual(['server_history'])
  })

  test('recall for a call of another model returns an error', () => {
    using trim = trimtab(POLICY)
    expect(trim.recall.execute({ reference: '01234567' }, undefined, { toolCall: { callId: 'x' } })).toMatch(
      /^Error: /,
    )
  })
})

test('a wrapped model keeps its class, getters and private fields, also when frozen', () => {
  using trim = trimtab(POLICY)
  const model = trim.model(Object.freeze(new Listener()))
  expect(model).toBeInstanceOf(Listener)
  expect(model.supportsPromptModelSelection).toBe(true)
  expect('supportsPromptModelSelection' in model).toBe(true)
})

test('the adapter fits the types of the SDK', () => {
  using trim = trimtab()
  const model: Model = trim.model({} as Model)
  const provider: ModelProvider = trim.modelProvider({} as ModelProvider)
  expect([model, provider, tool(trim.recall)].every(Boolean)).toBe(true)
})

test('pending calls that share an id do not get each other’s conversation', () => {
  const calls = new PendingCalls()
  const [one, other] = [[{ role: 'user' }], [{ role: 'user' }]]
  calls.add('a', one)
  calls.add('b', other)
  expect([calls.take('a'), calls.take('a'), calls.take('b')]).toEqual([one, undefined, other])
  calls.add('a', one)
  calls.add('a', other)
  expect(calls.take('a')).toBeUndefined()
  calls.add('a', other)
  expect(calls.take('a')).toBe(other)
})
