import { type Format, validate } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import {
  addToolResults,
  createReadTool,
  createTools,
  openToolCalls,
  runToolCall,
  toolResultMessage,
  withoutMetadata,
} from 'trimtab/tools'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../node/write.js'
import { setUp } from './set-up.js'

describe('tool calls and results in messages', () => {
  const asked = (toolCallId: string) => ({
    id: 'm',
    role: 'assistant',
    parts: [{ type: 'tool-ls', toolCallId, state: 'input-available', input: {} }],
  })

  test.each([
    ['no history', []],
    ['a message of the user', [asked('a'), { id: 'u', role: 'user', parts: [{ type: 'text', text: 'x' }] }]],
    ['another call', [asked('b')]],
  ])('addToolResults refuses results without a call in a UIMessage: %s', (_, history) => {
    const answers = [
      { call: { id: 'a', name: 'ls' }, result: { content: 'x', isError: false, ephemeral: false } },
    ]
    expect(() => addToolResults<object>(history, answers, { format: 'ai-sdk-ui' })).toThrow(
      expect.objectContaining({ code: 'invalid_option', argument: 'answers[0].call.id' }),
    )
  })

  const result = { content: 'x', isError: false, ephemeral: false }
  const ofIds = (format: Format, ids: readonly string[]) => convertMessages(asking(ids), format)
  const asking = (ids: readonly string[]): object[] => [
    { role: 'user', content: 'x' },
    {
      role: 'assistant',
      content: ids.map((id) => ({ type: 'tool_use', id, name: 'ls', input: {} })),
    },
  ]
  const refused = (at: number, id: string) =>
    expect.objectContaining({
      code: 'invalid_option',
      argument: `answers[${at}].call.id`,
      message: expect.stringContaining(id),
    })
  const apart = FORMATS.filter((format) => format !== 'ai-sdk-ui')

  test.each(apart)('addToolResults refuses results without an open call in %s', (format) => {
    const { messages } = ofIds(format, ['a', 'b'])
    const add = (history: readonly object[], ...ids: string[]) =>
      addToolResults(
        history,
        ids.map((id) => ({ call: { id, name: 'ls' }, result })),
        { format },
      )
    const [a, b] = openToolCalls(messages, { format }).map(({ id }) => id) as [string, string]
    expect(() => add([], a)).toThrow(refused(0, a))
    expect(() => add(messages.slice(0, 1), a)).toThrow(refused(0, a))
    expect(() => add(messages, a, 'other')).toThrow(refused(1, 'other'))
    expect(() => add(messages, a, b, a)).toThrow(refused(2, a))
    expect(() => add(add(messages, a), a)).toThrow(refused(0, a))
    if (format === 'gemini') expect(add(messages, '')).toHaveLength(3)
    else expect(() => add(messages, '')).toThrow(refused(0, 'open call of ls'))
    expect(openToolCalls(add(add(messages, b), a), { format })).toEqual([])
    expect(validate(add(messages, a, b), { format })).toEqual([])
    expect(add(messages)).toEqual(messages)
  })

  test('addToolResults accepts calls without ids by the names of their tools', () => {
    const add = (history: readonly object[], format: Format, ...names: string[]) =>
      addToolResults(
        history,
        names.map((name) => ({ call: { id: '', name }, result })),
        { format },
      )
    const gemini = [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: ['ls', 'ls', 'cat'].map((name) => ({ functionCall: { name, args: {} } })) },
    ]
    expect(validate(add(gemini, 'gemini', 'cat', 'ls', 'ls'))).toEqual([])
    expect(() => add(gemini, 'gemini', 'ls', 'rm')).toThrow(refused(1, 'open call of rm'))
    expect(() => add(gemini, 'gemini', 'cat', 'cat')).toThrow(refused(1, 'open call of cat'))
    const call = { type: 'function', function: { name: 'ls', arguments: '{}' } }
    const chat = [{ role: 'assistant', content: null, tool_calls: [call] }]
    expect(add(chat, 'openai-chat', 'ls')).toHaveLength(2)
    expect(() => add(chat, 'openai-chat', 'rm')).toThrow(refused(0, 'open call of rm'))
  })

  test('addToolResults refuses the result of a call that the provider runs', () => {
    const part = { type: 'tool-call', toolCallId: 'a', toolName: 'ls', input: {}, providerExecuted: true }
    const history = [{ role: 'assistant', content: [part] }]
    expect(() =>
      addToolResults<object>(history, [{ call: { id: 'a', name: 'ls' }, result }], { format: 'ai-sdk' }),
    ).toThrow(refused(0, 'a'))
  })

  test.each(FORMATS)(
    'each ephemeral result in %s has a mark of its own, to which a host may add',
    (format) => {
      const answer = { call: { id: 'a', name: 'ls' }, result: { ...result, ephemeral: true } }
      const written = () => toolResultMessage(answer, { format }) as { metadata?: object; parts?: [object] }
      const marks = [written(), written()].map((message) => message.metadata ?? message.parts?.[0])
      const [one, other] = marks as [{ toolMetadata?: object }, { toolMetadata?: object }]
      Object.assign(one.toolMetadata ?? one, { of: 'a host' })
      expect(JSON.stringify(other)).toContain('"ephemeral":true')
      expect(JSON.stringify(other)).not.toContain('a host')
    },
  )

  test('openToolCalls refuses calls of another format', () => {
    const use = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
    const history = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [use] },
    ]
    expect(openToolCalls(history, { format: 'anthropic' })).toHaveLength(1)
    expect(() => openToolCalls(history, { format: 'openai-chat' })).toThrow(
      expect.objectContaining({ code: 'mixed_formats', index: 1 }),
    )
    expect(openToolCalls([{ role: 'user', content: 'x' }], { format: 'anthropic' })).toEqual([])
  })

  test('openToolCalls leaves out calls that the provider runs', () => {
    const part = { type: 'tool-call', toolCallId: 'a', toolName: 'web_search', input: { query: 'x' } }
    const asked = (fields: object) => [{ role: 'assistant', content: [{ ...part, ...fields }] }]
    expect(openToolCalls(asked({ providerExecuted: true }), { format: 'ai-sdk' })).toEqual([])
    expect(openToolCalls(asked({}), { format: 'ai-sdk' })).toHaveLength(1)
  })

  test.each([
    ['{"path": 1}', '{"path": 1}'],
    ['{"path": ', '{"path": '],
    ['', '{}'],
  ])('openToolCalls keeps arguments %j as written', (written, expected) => {
    const call = { id: 'a', type: 'function', function: { name: 'ls', arguments: written } }
    const [open] = openToolCalls([{ role: 'assistant', content: null, tool_calls: [call] }])
    expect(open?.arguments).toBe(expected)
  })

  test('openToolCalls gives the text of a custom tool as `input`, also if it looks like JSON', () => {
    const item = { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '{"a":1}' }
    expect(openToolCalls([item])[0]?.arguments).toBe('{"input":"{\\"a\\":1}"}')
  })

  test('createTools and createReadTool refuse unknown options', () => {
    const { workspace } = setUp()
    expect(() => createTools(workspace, { ignores: [] } as never)).toThrow('did you mean `ignore`?')
    expect(() => createReadTool(workspace, { limit: false } as never)).toThrow('did you mean `limits`?')
    const misspelt = { limits: { contextsize: 1000 } } as never
    expect(() => createTools(workspace, misspelt)).toThrow('did you mean `contextSize`?')
  })

  const call = { id: 'a', name: 'ls' }
  const good = { content: 'x', isError: false, ephemeral: false }

  test('toolResultMessage refuses an unknown format', () => {
    expect(() => toolResultMessage({ call, result: good }, { format: 'yaml' as never })).toThrow(
      expect.objectContaining({ code: 'invalid_option', argument: 'format' }),
    )
  })

  test('toolResultMessage replaces blank text for Anthropic', () => {
    expect(toolResultMessage({ call, result: { ...good, content: ' ' } }, { format: 'anthropic' })).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: '(empty)' }],
    })
  })

  test('withoutMetadata removes marks and keeps the original and its class', () => {
    class ToolMessage {
      type = 'tool'
      tool_call_id = 'a'
      content = 'x'
      metadata = { ephemeral: true }
    }
    const marked = Object.freeze(new ToolMessage())
    const plain = Object.freeze({ type: 'human', content: 'hi' })
    const [sent, same] = withoutMetadata<object>([marked, plain], { format: 'langchain' })
    expect(sent).toBeInstanceOf(ToolMessage)
    expect(sent).not.toHaveProperty('metadata')
    expect(marked.metadata.ephemeral).toBe(true)
    expect(same).toBe(plain)
  })

  const input = { path: 'src' }
  test.each<[string, object]>([
    ['Chat Completions', { id: 'a', type: 'function', function: { name: 'list_files', arguments: '{}' } }],
    ['Anthropic', { type: 'tool_use', id: 'a', name: 'list_files', input }],
    ['LangChain', { type: 'tool_call', id: 'a', name: 'list_files', args: input }],
    ['Gemini', { name: 'list_files', args: input }],
    ['AI SDK', { type: 'tool-call', toolCallId: 'a', toolName: 'list_files', input }],
    ['no arguments', { id: 'a', name: 'list_files', arguments: null }],
    ['a list of arguments', { id: 'a', name: 'list_files', arguments: ['src'] }],
  ])('runToolCall refuses a call of a provider: %s', async (_, own) => {
    await expect(runToolCall(setUp().tools, own as never)).rejects.toMatchObject({
      code: 'invalid_option',
      argument: 'call',
      message: expect.stringMatching(/^call must be a call as openToolCalls gives it/),
    })
  })

  test('runToolCall refuses tools that are none', async () => {
    await expect(runToolCall(undefined as never, { name: 'x', arguments: '' })).rejects.toMatchObject({
      code: 'invalid_option',
      argument: 'tools',
    })
  })

  test.each<[string, object]>([
    ['Chat Completions', { type: 'function', function: { name: 'list_files', arguments: '{}' } }],
    ['Anthropic', { type: 'tool_use', name: 'list_files', input: {} }],
  ])('a call without arguments that openToolCalls gives runs: %s', async (_, own) => {
    const answer =
      'function' in own ? { tool_calls: [{ ...own, id: 'a' }] } : { content: [{ ...own, id: 'a' }] }
    const [open] = openToolCalls([
      { role: 'user', content: 'go' },
      { role: 'assistant', ...answer },
    ])
    for (const args of [open?.arguments, '', {}])
      expect(
        await runToolCall(setUp().tools, { name: 'list_files', arguments: args as string }),
      ).toMatchObject({
        isError: false,
      })
  })

  test.each([
    { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'ls', arguments: '{}' },
    { type: 'function_call', id: 'fc_1', callId: 'a', name: 'ls', arguments: '{}' },
  ])("toolResultMessage refuses a call whose id is that of the provider's item", (own) => {
    expect(() => toolResultMessage({ call: own, result: good }, { format: 'openai-responses' })).toThrow(
      expect.objectContaining({ code: 'invalid_option', argument: 'answers' }),
    )
  })
})
