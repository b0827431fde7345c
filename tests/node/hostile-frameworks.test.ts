// Calls what frameworks call with objects of theirs that fail, or give something else: in one access in turn, or in one
// field. What a call reads of a request is refused with a TrimtabError; what a model answered is passed on as it is, and
// so is an error of the host's own functions.
import { Context, TrimtabError } from 'trimtab'
import { trimtab as aiSdk } from 'trimtab/ai-sdk'
import { trimtab as claudeAgent } from 'trimtab/claude-agent'
import { trimtab as copilot } from 'trimtab/copilot'
import { trimtab as langchain } from 'trimtab/langchain'
import { trimtab as mastra } from 'trimtab/mastra'
import { type AgentModel, trimtab as openaiAgents } from 'trimtab/openai-agents'
import { trimtab as opencode } from 'trimtab/opencode'
import { trimtab as pi } from 'trimtab/pi'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { tool, z } from '../plugins/host-tools.js'
import { accessesOf, copied, EFFECTS, Host } from './hostile-access.js'
import { ADAPTERS, OF_FRAMEWORKS } from './hostile-adapter-calls.js'
import type { MethodCall } from './hostile-method-calls.js'
import { type AnyFunction, history, rawError, Thrown, VALUES } from './hostile-values.js'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

const nameOf = (title: string): string => title.replace(/,.*/, '')

/** Arguments that are the host's own model, answer or interface: what they throw when used is passed on. */
const PASSED_ON: Record<string, number> = {
  'AiSdkTools.recall.toModelOutput': 0,
  'ModelMiddleware.wrapGenerate': 0,
  'ModelMiddleware.wrapStream': 0,
  'AgentMiddlewareConfig.wrapModelCall': 1,
  'AgentsTrimtab.model': 0,
  'AgentsTrimtab.modelProvider': 0,
  'AgentModelProvider.getModel': 0,
  'AgentModel.getResponse': 1,
  'AgentModel.getStreamedResponse': 1,
  'MastraRecall.toModelOutput': 0,
  'trimtab/pi.trimtab()': 0,
}

/** Whether an error is one that the host threw, or that any use of its object throws: waiting for it, returning it. */
const isOfHost = (error: unknown): boolean =>
  error instanceof Thrown ||
  !(error instanceof Error) ||
  error.message === 'nothing was thrown' ||
  error.message.endsWith('on a proxy that has been revoked')

const textOf = (error: unknown): string =>
  error instanceof Error ? String(error.stack).slice(0, 700) : 'no stack'

/** Calls with a failure at each access of some arguments; returns the errors that must not be. */
async function attackAccesses(
  [run, ...valid]: MethodCall,
  isHostile: (at: number) => boolean,
  isAllowed: (error: unknown) => boolean,
): Promise<string[]> {
  const wrapped = (host: Host) => copied(valid).map((value, at) => (isHostile(at) ? host.of(value) : value))
  const calm = new Host()
  const first = await rawError(run, false, wrapped(calm))
  const raw = new Set(first === undefined ? [] : [`a valid call: ${textOf(first)}`])
  for (const [name, effect] of Object.entries(EFFECTS)) {
    for (const at of accessesOf(calm.accesses)) {
      const error = await rawError(run, false, wrapped(new Host(at, effect)))
      if (error !== undefined && !isAllowed(error)) raw.add(`${name}: ${textOf(error)}`)
    }
  }
  return [...raw]
}

const isData = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)

/** The ways to all parts of a value. */
function* waysTo(value: unknown, way: string[] = []): Generator<string[]> {
  if (way.length > 0) yield way
  if (isData(value)) for (const [key, part] of Object.entries(value)) yield* waysTo(part, [...way, key])
}

/** A copy with another value at the end of a way. */
function changed(value: unknown, [key, ...rest]: string[], other: unknown): unknown {
  if (key === undefined) return other
  const whole = value as Record<string, unknown>
  const part = changed(whole[key], rest, other)
  return Array.isArray(value)
    ? value.map((each, at) => (String(at) === key ? part : each))
    : { ...whole, [key]: part }
}

const { hooks } = claudeAgent(undefined, { z })
type Registered = { execute: AnyFunction }
const piRecall = (): AnyFunction => {
  const registered: Registered[] = []
  pi()({ on() {}, registerTool: (one: Registered) => void registered.push(one) } as never)
  return (registered[0] as Registered).execute
}

/** Further functions that the adapters register. */
const REGISTERED: Record<string, MethodCall> = {
  'the hook before a tool of claude-agent': [
    (input) => hooks.PreToolUse[0].hooks[0](input),
    { session_id: 's', tool_name: 'mcp__trimtab__recall', tool_use_id: 'c', tool_input: {} },
  ],
  'the hook before a compaction of claude-agent': [
    (input) => hooks.PreCompact[0].hooks[0](input),
    { session_id: 's', agent_id: 'a' },
  ],
  'the tool of pi': [
    (args, context) => piRecall()('c', args, undefined, undefined, context),
    { reference: '12345678' },
    { sessionManager: { getSessionId: () => 's' } },
  ],
  'the tool of opencode': [
    async (args, context) => {
      const registered = await opencode(undefined, { tool })()
      return (registered.tool.recall as unknown as Registered).execute(args, context)
    },
    { reference: '12345678' },
    { sessionID: 's' },
  ],
}

const frameworks = [
  ...Object.entries(ADAPTERS).filter(([name]) => OF_FRAMEWORKS.includes(nameOf(name))),
  ...Object.entries(REGISTERED),
]

test('every method of a framework is attacked', () => {
  const attacked = new Set(frameworks.map(([name]) => nameOf(name)))
  expect(OF_FRAMEWORKS.filter((name) => !attacked.has(name))).toEqual([])
})

describe.each(frameworks)('%s', (name, call) => {
  const passed = PASSED_ON[name]

  test('refuses what fails in a request with a TrimtabError', async () => {
    expect(
      await attackAccesses(
        call,
        (at) => at !== passed,
        () => false,
      ),
    ).toEqual([])
  })

  test('takes or refuses any value in any field', async () => {
    const [run, ...valid] = call
    const raw = new Set<string>()
    for (const way of waysTo(valid)) {
      for (const [value, make] of Object.entries(VALUES)) {
        const args = changed(copied(valid), way, make()) as unknown[]
        const error = await rawError(run, false, args)
        const isAllowed = way[0] === String(passed) && isOfHost(error)
        if (error !== undefined && !isAllowed) raw.add(`${value} in ${way.join('.')}: ${textOf(error)}`)
      }
    }
    expect([...raw]).toEqual([])
  })
})

test.each(Object.entries(PASSED_ON))('%s passes on what fails in an answer', async (name, passed) => {
  const call = ADAPTERS[name] as MethodCall
  expect(await attackAccesses(call, (at) => at === passed, isOfHost)).toEqual([])
})

const usage = () => ({
  get input(): never {
    throw new Thrown('usage')
  },
})
const failing = () => {
  throw new Thrown('the warning')
}
const unlearned = { onWarning: failing }

test('an answer is not lost because nothing can be learned of it', async () => {
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }]
  const { middleware } = aiSdk(undefined, unlearned)
  const params = await middleware.transformParams({ params: { prompt }, model: { modelId: 'm' } } as never)
  const result = { usage: usage(), text: 'done' }
  const doGenerate = () => Promise.resolve(result)
  expect(await middleware.wrapGenerate({ doGenerate, params } as never)).toBe(result)

  const part = { type: 'finish', usage: usage() }
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(part)
      controller.close()
    },
  })
  const doStream = () => Promise.resolve({ stream })
  const streamed = await middleware.wrapStream({ doStream, params } as never)
  expect((await streamed.stream.getReader().read()).value).toBe(part)

  const answer = { usage_metadata: usage(), content: 'done' }
  const request = { messages: [{ type: 'human', content: 'hi' }], model: {} }
  const { wrapModelCall } = langchain(undefined, unlearned).middleware
  expect(await wrapModelCall(request as never, () => answer)).toBe(answer)

  const response = {
    get output(): never {
      throw new Thrown('output')
    },
  }
  const model = { getResponse: () => response, getStreamedResponse: () => [{ response }] }
  const agent = openaiAgents(undefined, unlearned).model(model as unknown as AgentModel)
  const asked = { input: [{ role: 'user', content: 'hi' }] } as never
  expect(await agent.getResponse(asked)).toBe(response)
  for await (const event of agent.getStreamedResponse(asked)) expect(event).toEqual({ response })

  const state = {}
  const { processor } = mastra(undefined, unlearned)
  processor.processLLMRequest({ prompt, model: {}, state } as never)
  const chunks = [{ type: 'finish', payload: { output: { usage: usage() } } }, null]
  expect(processor.processLLMResponse({ chunks, state } as never)).toBeUndefined()
})

test('an adapter works after a failed call', () => {
  const { hooks } = copilot({ clip: true })
  const use = (toolArgs: unknown, text: unknown) =>
    hooks.onPostToolUse(
      {
        sessionId: 's',
        toolName: 'bash',
        toolArgs,
        toolResult: { textResultForLlm: text, resultType: 'success' },
      } as never,
      { sessionId: 's' },
    )
  const long = 'a line\n'.repeat(4000)
  const first = use({}, long)
  expect(first?.modifiedResult).toMatchObject({ resultType: 'success' })
  for (const make of Object.values(VALUES)) {
    try {
      use(make(), make())
    } catch (error) {
      expect(error).toBeInstanceOf(TrimtabError)
    }
  }
  expect(use({}, long)?.modifiedResult).toEqual(first?.modifiedResult)

  const policy = { age: { maxToolOutputAge: 0 } }
  const messages = [...history, { role: 'user', content: 'go on' }]
  const view = new Context(policy).project(messages).messages
  const trim = aiSdk(policy)
  for (const effect of Object.values(EFFECTS)) {
    for (let at = 1; at <= 40; at += 4) {
      try {
        trim.prepareStep(new Host(at, effect).of(copied({ messages, steps: [], model: 'm' })) as never)
      } catch (error) {
        expect(error).toBeInstanceOf(TrimtabError)
      }
      expect(trim.view(messages)).toEqual(view)
    }
  }
})

test.each<[string, AnyFunction]>([
  ['BigInt', () => 10n],
  ['a symbol', () => Symbol('x')],
  ['NaN', () => Number.NaN],
  ['an object that throws', () => ({ valueOf: failing })],
])('a clock that gives %s is refused with a TrimtabError', async (_, now) => {
  const trim = aiSdk(undefined, { now })
  expect(await rawError(() => [1, 2].map(() => trim.view(history)), false, [])).toBeUndefined()
})

test("what the host's own callbacks throw is passed on", () => {
  const trim = aiSdk(undefined, { onRequest: failing })
  expect(() => trim.view(history)).toThrow(Thrown)
})
