import { describe, expect, test } from 'vitest'
import { problems } from './oracle.js'
import type { Format } from './write.js'

const call = { type: 'function_call', call_id: 'a', name: 't', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: '' }
const reasoning = { type: 'reasoning', summary: [] }
const toolCall = {
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'a', toolName: 't', input: {} }],
}
const toolResult = (output: object, toolCallId = 'a') => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 't', output }],
})
const ui = (part: object) => ({
  role: 'assistant',
  parts: [{ type: 'tool-t', toolCallId: 'a', input: {}, ...part }],
})
const hello = { role: 'user', parts: [{ text: 'Hello.' }] }
const calls = { role: 'model', parts: [{ functionCall: { name: 't', args: {} } }] }
const response = (name: string, response: unknown) => ({
  role: 'user',
  parts: [{ functionResponse: { name, response } }],
})
const ai = { type: 'ai', content: '', tool_calls: [{ id: 'a', name: 't', args: {} }] }
const tool = (tool_call_id: string, content: unknown = '') => ({ type: 'tool', content, tool_call_id })

/** Histories that providers accept, without the prompt. */
const good: [Format, object[]][] = [
  ['openai-responses', [reasoning, call, output]],
  ['openai-responses', [call, { ...output, output: [{ type: 'input_text', text: 'x' }] }]],
  ['ai-sdk', [toolCall, toolResult({ type: 'text', value: '' })]],
  ['ai-sdk', [toolCall, toolResult({ type: 'json', value: null })]],
  ['ai-sdk-ui', [ui({ state: 'output-available', output: null })]],
  ['gemini', [hello, calls, response('t', { output: '' })]],
  ['langchain', [ai, tool('a')]],
  ['langchain', [{ type: 'ai', content: 'x', tool_calls: [] }]],
]

/** Histories that they refuse, with the reason. */
const bad: [string, Format, object[]][] = [
  ['a call without output', 'openai-responses', [call]],
  ['an output without call', 'openai-responses', [output]],
  ['an output of another type', 'openai-responses', [call, { ...output, type: 'shell_call_output' }]],
  ['reasoning at the end', 'openai-responses', [reasoning]],
  ['reasoning before an output', 'openai-responses', [call, reasoning, output]],
  ['an empty list as output', 'openai-responses', [call, { ...output, output: [] }]],
  ['a call without result', 'ai-sdk', [toolCall]],
  ['a result of no call', 'ai-sdk', [toolCall, toolResult({ type: 'text', value: '' }, 'b')]],
  ['JSON as text', 'ai-sdk', [toolCall, toolResult({ type: 'text', value: {} })]],
  ['text as content', 'ai-sdk', [toolCall, toolResult({ type: 'content', value: 'x' })]],
  ['no output type', 'ai-sdk', [toolCall, toolResult({ value: 'x' })]],
  ['empty content', 'ai-sdk', [{ role: 'assistant', content: [] }]],
  ['no parts', 'ai-sdk-ui', [{ role: 'user', parts: [] }]],
  ['an answer without output', 'ai-sdk-ui', [ui({ state: 'output-available' })]],
  ['an error without text', 'ai-sdk-ui', [ui({ state: 'output-error', errorText: {} })]],
  ['an unanswered call', 'gemini', [hello, calls]],
  ['a response of another name', 'gemini', [hello, calls, response('u', { output: '' })]],
  ['two responses to one call', 'gemini', [hello, calls, response('t', { a: 1 }), response('t', { a: 1 })]],
  ['text as response', 'gemini', [hello, calls, response('t', 'x')]],
  [
    'calls after the model spoke',
    'gemini',
    [hello, { role: 'model', parts: [{ text: 'x' }] }, calls, response('t', { a: 1 })],
  ],
  ['no parts', 'gemini', [{ role: 'model', parts: [] }]],
  ['a call without result', 'langchain', [ai]],
  ['a result of no call', 'langchain', [ai, tool('b')]],
  ['a result without content', 'langchain', [ai, tool('a', null)]],
  ['nothing said', 'langchain', [{ type: 'ai', content: '', tool_calls: [] }]],
]

describe('the validity oracle', () => {
  test.each(good)('accepts %s', (format, messages) => {
    expect(problems(messages, format)).toEqual([])
  })
  test.each(bad)('refuses %s (%s)', (_, format, messages) => {
    expect(problems(messages, format)).not.toEqual([])
  })
})
