// TanStack AI against a strict local provider.
import {
  type ChatMiddleware,
  chat,
  type ModelMessage,
  maxIterations,
  normalizeToolResult,
  type Tool,
  toolDefinition,
} from '@tanstack/ai'
import { createOpenaiChat, createOpenaiChatCompletions } from '@tanstack/ai-openai'
import { clearOldToolUses } from 'trimtab'
import { trimtab } from 'trimtab/tanstack'
import { describe, expect, test } from 'vitest'
import { MessageNames } from '../../js/dist/tanstack/messages.js'
import { expectTurnAfterAbort, expectTurns, type Turn as TurnOf } from './expectations.js'
import { fileText, STEPS } from './provider.js'

type Turn = TurnOf<ReturnType<typeof trimtab>>

const MODEL = 'gpt-5.2'
const inputSchema = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] }
const config = ({ provider }: Turn) => ({ baseURL: provider.address })

/** Plays a turn and returns the messages that the application holds after it. */
async function play(
  turn: Turn,
  adapter: ReturnType<typeof createOpenaiChat<typeof MODEL>>,
  abortController?: AbortController,
  name = 'recall',
): Promise<object[]> {
  const { thread, trim } = turn
  let held: readonly ModelMessage[] = []
  const keep: ChatMiddleware = {
    onFinish: ({ messages }) => {
      held = [...messages]
    },
  }
  const read_file = toolDefinition({ name: 'read_file', description: 'Reads.', inputSchema }).server((args) =>
    fileText(thread, (args as { path: string }).path),
  )
  const stream = chat({
    adapter,
    systemPrompts: ['You read files.'],
    messages: [{ role: 'user', content: `${thread}: read all files` }],
    tools: [read_file, { ...trim.recall, name }],
    middleware: [keep, trim.middleware],
    agentLoopStrategy: maxIterations(STEPS + 2),
    ...(abortController === undefined ? {} : { abortController }),
  })
  let text = ''
  for await (const chunk of stream) {
    if (chunk.type !== 'TEXT_MESSAGE_CONTENT') continue
    text += chunk.delta
    abortController?.abort()
  }
  if (abortController !== undefined) return []
  expect(text).toContain(`${thread} is done.`)
  return [...held]
}

describe.each([
  ['Responses', (turn: Turn) => createOpenaiChat(MODEL, 'none', config(turn))],
  ['Chat Completions', (turn: Turn) => createOpenaiChatCompletions(MODEL, 'none', config(turn))],
] as const)('%s', (name, adapterOf) => {
  test('two threads at once run 60 steps without a refused request', () =>
    expectTurns(
      trimtab,
      async (turn) => {
        const held = await play(turn, adapterOf(turn) as ReturnType<typeof createOpenaiChat<typeof MODEL>>)
        const answered = { role: 'assistant', content: `${turn.thread} is done.` }
        return new MessageNames().toChat([...held, answered])
      },
      name === 'Responses' ? {} : { system: 'You read files.' },
    ))
})

test('`recall` may have another name', () =>
  expectTurns(
    trimtab,
    async (turn) => {
      const held = await play(turn, createOpenaiChat(MODEL, 'none', config(turn)), undefined, 'get_back')
      const answered = { role: 'assistant', content: `${turn.thread} is done.` }
      return new MessageNames().toChat([...held, answered])
    },
    { recall: 'get_back' },
  ))

test('a stream ended by an abort leaves the conversation unchanged', () => {
  const adapterOf = (turn: Turn) =>
    createOpenaiChatCompletions(MODEL, 'none', config(turn)) as never as ReturnType<
      typeof createOpenaiChat<typeof MODEL>
    >
  return expectTurnAfterAbort(
    trimtab,
    (turn, controller) => play(turn, adapterOf(turn), controller),
    async (turn) => {
      const answered = { role: 'assistant', content: `${turn.thread} is done.` }
      return new MessageNames().toChat([...(await play(turn, adapterOf(turn))), answered])
    },
    'You read files.',
  )
})

test('unedited messages stay the same objects, and edited ones keep the framework’s shape', () => {
  using trim = trimtab({
    ...clearOldToolUses({ trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: 0 } }),
    recall: true,
  })
  const image = {
    type: 'image' as const,
    source: { type: 'data' as const, value: 'iVBO', mimeType: 'image/png' },
  }
  const use = (id: string, content: ModelMessage['content']): ModelMessage[] => [
    {
      role: 'assistant',
      content: null,
      thinking: [{ content: 'hm', signature: 'x' }],
      toolCalls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' }, metadata: { a: 1 } }],
    },
    { role: 'tool', content, toolCallId: id, metadata: { tanstack: 1 } },
  ]
  const text = 'line\n'.repeat(400)
  const messages: ModelMessage[] = [
    { role: 'user', content: [{ type: 'text', content: 'go' }, image] },
    ...use('a', text),
    ...use('b', [{ type: 'text', content: text }, image]),
    { role: 'assistant', content: 'done', id: 'm' },
  ]
  const before = structuredClone(messages)
  // A model that accepts its thinking after the results before it have changed.
  const context = { phase: 'beforeModel', model: 'claude-opus-4-8', messages }
  const view = trim.middleware.onConfig(context, { messages })?.providerMessages as ModelMessage[]
  expect(messages).toEqual(before)
  expect(view.flatMap((message, i) => (message === messages[i] ? [] : [i]))).toEqual([2, 4])
  const stub = expect.stringMatching(/recall [0-9a-f]{8}/)
  expect(view[2]).toEqual({ ...messages[2], content: stub })
  expect(view[4]).toEqual({ ...messages[4], content: [{ type: 'text', content: stub }] })
  expect(trim.middleware.onConfig({ ...context, phase: 'init' }, { messages })).toBeUndefined()
  const reference = /recall ([0-9a-f]{8})/.exec(JSON.stringify(view[2]))?.[1]
  const call = { toolName: 'recall', args: { reference } }
  expect(trim.middleware.onBeforeToolCall(context, call)).toEqual({ type: 'skip', result: text })
  expect(trim.middleware.onBeforeToolCall(context, { ...call, toolName: 'look' })).toBeUndefined()
  const other = /recall ([0-9a-f]{8})/.exec(JSON.stringify(view[4]))?.[1]
  const images = { toolName: 'recall', args: { reference: other } }
  const skipped = trim.middleware.onBeforeToolCall(context, images)
  expect(skipped).toEqual({ type: 'skip', result: messages[4]?.content })
  expect(normalizeToolResult(skipped?.result)).toBe(skipped?.result)
})

test('the adapter fits the types of the framework', () => {
  using trim = trimtab()
  const middleware: ChatMiddleware = trim.middleware
  const recall: Tool = trim.recall
  expect([middleware, recall].every(Boolean)).toBe(true)
})
