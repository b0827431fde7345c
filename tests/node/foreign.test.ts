import { Context, inspect, project, TrimtabError, validate } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { describe, expect, test } from 'vitest'
import { FORMATS } from './write.js'

const tool = { toolCallId: 'a', toolName: 'ls' }
const user = { role: 'user', content: 'go' }
const text = 'a.ts\n'.repeat(300)

/** Histories of frameworks, as each keeps them: a prompt, a call, its result. */
const HISTORIES: Record<string, object[]> = {
  'OpenAI Agents': [
    user,
    { type: 'function_call', callId: 'a', name: 'ls', arguments: '{}', status: 'completed' },
    {
      type: 'function_call_result',
      callId: 'a',
      name: 'ls',
      status: 'completed',
      output: { type: 'text', text },
    },
  ],
  'TanStack AI': [
    user,
    {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', content: text, toolCallId: 'a' },
  ],
  Mastra: [
    {
      id: '1',
      role: 'user',
      createdAt: new Date(0),
      content: { format: 2, parts: [{ type: 'text', text: 'go' }] },
    },
    {
      id: '2',
      role: 'assistant',
      createdAt: new Date(1),
      content: {
        format: 2,
        parts: [
          { type: 'tool-invocation', toolInvocation: { state: 'result', ...tool, args: {}, result: text } },
        ],
      },
    },
  ],
  LlamaIndex: [
    user,
    { role: 'assistant', content: '', options: { toolCall: [{ id: 'a', name: 'ls', input: {} }] } },
    { role: 'user', content: text, options: { toolResult: { id: 'a', result: text, isError: false } } },
  ],
  'Bedrock Converse': [
    { role: 'user', content: [{ text: 'go' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'ls', input: {} } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text }], status: 'success' } }] },
  ],
  'AI SDK 4 UI': [
    { id: '1', ...user },
    {
      id: '2',
      role: 'assistant',
      content: 'listed',
      toolInvocations: [{ state: 'result', ...tool, args: { path: '.' }, result: text }],
    },
  ],
  'AI SDK 4': [
    user,
    { role: 'assistant', content: [{ type: 'tool-call', ...tool, args: { path: '.' } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...tool, result: text }] },
  ],
  "Gemini's REST form": [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ function_call: { name: 'ls', args: {} } }] },
    { role: 'user', parts: [{ function_response: { name: 'ls', response: { output: text } } }] },
  ],
}
function refusal(run: () => unknown): TrimtabError {
  try {
    run()
  } catch (error) {
    if (error instanceof TrimtabError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('histories of other frameworks are refused with what they are', () => {
  test.each(Object.entries(HISTORIES))('%s', (name, messages) => {
    const framework = name.replace(' UI', '')
    const calls = [
      () => project(messages, { age: true }),
      () => validate(messages),
      () => inspect(messages),
      () => new Context({ age: true }).project(messages),
    ]
    for (const call of calls) {
      const { code, message } = refusal(call)
      expect(code).toBe('unknown_format')
      expect(message).toContain(framework)
    }
    for (const format of FORMATS) {
      expect(['unknown_format', 'mixed_formats', 'invalid_message']).toContain(
        refusal(() => project(messages, { age: true }, { format })).code,
      )
    }
  })

  test('what the refusal names converts them', () => {
    const convert = (name: string, format: 'ai-sdk' | 'ai-sdk-ui' | 'gemini') =>
      convertMessages(HISTORIES[name] as object[], format === 'gemini' ? 'gemini' : 'ai-sdk', { format })
        .messages
    for (const messages of [
      convert('AI SDK 4 UI', 'ai-sdk-ui'),
      convert('AI SDK 4', 'ai-sdk'),
      convert("Gemini's REST form", 'gemini'),
    ]) {
      const { report } = project(messages, { age: { maxToolOutputAge: 0 } })
      expect(report.tokensBefore).toBeGreaterThan(400)
      expect(validate(messages)).toEqual([])
    }
  })
})
