import type { ValidityRule } from 'trimtab'
import type { Format, Message } from './write.js'

/** Histories in formats other than Chat Completions and Anthropic Messages: see `known-histories.ts`. */

export type Row = [name: string, messages: Message[], rule: ValidityRule, index: number, oracle: string]

export const unanswered = 'unanswered call'
export const orphan = 'result without open call'
export const twice = 'same id twice'
const noId = 'call without id'
const noResultId = 'result without id'

const ask: Message = { role: 'user', content: 'What is in the file?' }
const more: Message = { role: 'user', content: 'Go on.' }
const say = (content: unknown): Message => ({ role: 'assistant', content })
const without = (message: object, ...keys: string[]): Message =>
  Object.fromEntries(Object.entries(message).filter(([key]) => !keys.includes(key)))

// OpenAI Responses
const called = (call_id: unknown, type = 'function_call'): Message => ({
  type,
  call_id,
  name: 'read_file',
  arguments: '{}',
})
const put = (call_id: unknown, output: unknown = 'a line', type = 'function_call_output'): Message => ({
  type,
  call_id,
  output,
})
const thought = (id: string): Message => ({ type: 'reasoning', id, summary: [], encrypted_content: 'b3Bh' })
const shell = called('a', 'shell_call')
const printed = [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
const localShell = { type: 'local_shell_call', id: 'lsh_1', call_id: 'a', action: { type: 'exec' } }

const responses: Row[] = [
  ['a call at the end', [ask, called('a')], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [ask, called('a'), more], 'unanswered-call', 1, unanswered],
  ['one of two calls', [ask, called('a'), called('b'), put('a')], 'unanswered-call', 2, unanswered],
  ['a call behind reasoning', [ask, thought('r'), called('a'), more], 'unanswered-call', 2, unanswered],
  ['a shell call', [ask, shell, more], 'unanswered-call', 1, unanswered],
  ['a custom call', [ask, called('a', 'custom_tool_call')], 'unanswered-call', 1, unanswered],
  ['a patch', [ask, called('a', 'apply_patch_call')], 'unanswered-call', 1, unanswered],
  ['a local shell call', [ask, localShell, more], 'unanswered-call', 1, unanswered],
  ['an output at the start', [put('a'), ask], 'orphan-result', 0, orphan],
  ['an output of no call', [ask, called('a'), put('a'), put('x')], 'orphan-result', 3, orphan],
  ['an output of another kind', [ask, shell, put('a')], 'orphan-result', 2, orphan],
  ['two outputs of a call', [ask, called('a'), put('a'), put('a')], 'duplicate-result', 3, orphan],
  ['an output before its call', [ask, put('a'), called('a')], 'result-order', 1, orphan],
  [
    'an output before its call, between others',
    [ask, put('a'), thought('r'), called('a'), called('b'), put('b')],
    'result-order',
    1,
    orphan,
  ],
  ['a call_id twice', [ask, called('a'), called('a'), put('a'), put('a')], 'duplicate-id', 2, twice],
  ['a call_id again later', [ask, called('a'), put('a'), called('a'), put('a')], 'duplicate-id', 3, twice],
  ['a call without call_id', [ask, called(undefined), put('a')], 'missing-id', 1, noId],
  ['an empty call_id', [ask, called(''), put('')], 'missing-id', 1, noId],
  ['an output without call_id', [ask, called('a'), put('a'), put(undefined)], 'missing-id', 3, noResultId],
  [
    'a nameless call beside a shell',
    [ask, called(''), put('', printed, 'shell_call_output')],
    'missing-id',
    1,
    noId,
  ],
  ['no output', [ask, called('a'), without(put('a'), 'output')], 'empty-content', 2, 'no content'],
  ['an output without parts', [ask, called('a'), put('a', [])], 'empty-content', 2, 'no content'],
  [
    'a shell without output',
    [ask, shell, put('a', [], 'shell_call_output')],
    'empty-content',
    2,
    'no content',
  ],
  ['reasoning at the end', [ask, thought('r')], 'reasoning-last', 1, 'reasoning alone'],
  ['reasoning before a prompt', [ask, thought('r'), more], 'reasoning-last', 1, 'reasoning alone'],
  [
    'reasoning before an output',
    [ask, called('a'), thought('r'), put('a')],
    'reasoning-last',
    2,
    'reasoning alone',
  ],
  [
    'reasoning twice',
    [ask, thought('r'), say('Hm.'), thought('r'), say('Hm.')],
    'duplicate-item',
    3,
    'same item twice',
  ],
  [
    'an item id twice',
    [ask, { ...called('a'), id: 'fc_1' }, put('a'), { ...called('b'), id: 'fc_1' }, put('b')],
    'duplicate-item',
    3,
    'same item twice',
  ],
]

// AI SDK
const text = (text: unknown) => ({ type: 'text', text })
const toolCall = (toolCallId: unknown, fields: object = {}) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read_file',
  input: { path: 'a.ts' },
  ...fields,
})
const toolResult = (toolCallId: unknown, output: unknown = { type: 'text', value: 'a line' }) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read_file',
  output,
})
const toolCalls = (...ids: unknown[]) => say(ids.map((id) => toolCall(id)))
const tools = (...content: object[]): Message => ({ role: 'tool', content })
const answers = (...ids: unknown[]) => tools(...ids.map((id) => toolResult(id)))
const request = { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'a' }
const approval = { type: 'tool-approval-response', approvalId: 'x', approved: true }

const aiSdk: Row[] = [
  ['a call at the end', [ask, toolCalls('a')], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [ask, toolCalls('a'), more], 'unanswered-call', 1, unanswered],
  ['one of two calls', [ask, toolCalls('a', 'b'), answers('b')], 'unanswered-call', 1, unanswered],
  ['a call that waits', [ask, say([toolCall('a'), request])], 'unanswered-call', 1, unanswered],
  [
    'an approved call without result',
    [ask, say([toolCall('a'), request]), tools(approval), more],
    'unanswered-call',
    1,
    unanswered,
  ],
  ['a result at the start', [answers('a'), ask], 'orphan-result', 0, orphan],
  ['a result too many', [ask, toolCalls('a'), answers('a', 'x')], 'orphan-result', 2, orphan],
  ['two results', [ask, toolCalls('a'), answers('a', 'a')], 'duplicate-result', 2, orphan],
  ['a prompt between', [ask, toolCalls('a'), more, answers('a')], 'result-order', 3, orphan],
  ['an answer between', [ask, toolCalls('a'), say('Hm.'), answers('a')], 'result-order', 3, orphan],
  ['a result before its call', [ask, answers('a'), toolCalls('a')], 'result-order', 1, orphan],
  [
    'a result of the user',
    [ask, toolCalls('a'), { role: 'user', content: [toolResult('a')] }],
    'result-role',
    2,
    'result of the user',
  ],
  [
    'a call of the user',
    [{ role: 'user', content: [text('Hm.'), toolCall('a')] }],
    'call-role',
    0,
    'call of the user',
  ],
  ['an id twice', [ask, toolCalls('a', 'a'), answers('a')], 'duplicate-id', 1, twice],
  ['a call without id', [ask, toolCalls(undefined), answers(undefined)], 'missing-id', 1, noId],
  ['a result without id', [ask, toolCalls('a'), answers('a', '')], 'missing-id', 2, noResultId],
  ['an answer of nothing', [ask, say('')], 'empty-content', 1, 'no content'],
  ['an answer without parts', [ask, say([]), more], 'empty-content', 1, 'no content'],
  ['an empty text', [ask, say([text('')]), more], 'empty-content', 1, 'no content'],
  ['a prompt without parts', [{ role: 'user', content: [] }], 'empty-content', 0, 'no content'],
  ['no results', [ask, toolCalls('a'), answers('a'), tools()], 'empty-content', 3, 'no content'],
  [
    'an output of version 4',
    [ask, toolCalls('a'), tools(toolResult('a', 'a line'))],
    'result-shape',
    2,
    'output of type undefined',
  ],
]

const ui = (...parts: object[]): Message => ({ id: 'a', role: 'assistant', parts })
const asked: Message = { id: 'u', role: 'user', parts: [text('What is in the file?')] }
const part = (state: string, fields: object = {}) => ({
  type: 'tool-read_file',
  toolCallId: 'a',
  state,
  input: { path: 'a.ts' },
  ...fields,
})
const done = part('output-available', { output: 'a line' })
const dynamic = { ...done, type: 'dynamic-tool', toolName: 'read_file' }

const aiSdkUi: Row[] = [
  ['a call that streams', [asked, ui(part('input-streaming'))], 'unanswered-call', 1, unanswered],
  ['a call', [asked, ui(text('Hm.'), part('input-available'))], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [asked, ui(part('input-available')), asked], 'unanswered-call', 1, unanswered],
  [
    'a call that waits',
    [asked, ui(part('approval-requested', { approval: { id: 'x' } }))],
    'unanswered-call',
    1,
    unanswered,
  ],
  [
    'an approved call before a prompt',
    [asked, ui(part('approval-responded', { approval: { id: 'x', approved: true } })), asked],
    'unanswered-call',
    1,
    unanswered,
  ],
  [
    'one of two',
    [asked, ui(done, part('input-available', { toolCallId: 'b' }))],
    'unanswered-call',
    1,
    unanswered,
  ],
  ['an id twice', [asked, ui(done, { type: 'step-start' }, done)], 'duplicate-id', 1, twice],
  ['a call without id', [asked, ui(without(dynamic, 'toolCallId'))], 'missing-id', 1, noId],
  ['a prompt without parts', [{ id: 'u', role: 'user', parts: [] }], 'empty-content', 0, 'no content'],
  [
    'a system message without parts',
    [{ id: 's', role: 'system', parts: [] }, asked],
    'empty-content',
    0,
    'no content',
  ],
  ['no output', [asked, ui(part('output-available'))], 'result-shape', 1, 'answer of another shape'],
  [
    'an output and an error',
    [asked, ui({ ...done, errorText: 'no' })],
    'result-shape',
    1,
    'answer of another shape',
  ],
  ['an error without text', [asked, ui(part('output-error'))], 'result-shape', 1, 'answer of another shape'],
  [
    'an error and an output',
    [asked, ui(part('output-error', { errorText: 'no', output: 'a line' }))],
    'result-shape',
    1,
    'answer of another shape',
  ],
]

// Gemini
const prompt = (...parts: object[]): Message => ({ role: 'user', parts })
const model = (...parts: object[]): Message => ({ role: 'model', parts })
const go = prompt({ text: 'What is in the file?' })
const hm = model({ text: 'Hm.' })
const fn = (name = 'read', id?: string) => ({
  functionCall: { ...(id ? { id } : {}), name, args: { path: 'a.ts' } },
})
const back = (name = 'read', id?: string) => ({
  functionResponse: { ...(id ? { id } : {}), name, response: { output: 'a line' } },
})

const gemini: Row[] = [
  ['a call at the end', [go, model(fn())], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [go, model(fn()), go], 'unanswered-call', 1, unanswered],
  [
    'one of two calls',
    [go, model(fn('read'), fn('ls')), prompt(back('ls'))],
    'unanswered-call',
    1,
    unanswered,
  ],
  [
    'one of two calls of a tool',
    [go, model(fn('read'), fn('read')), prompt(back('read'), { text: 'Go on.' })],
    'unanswered-call',
    1,
    unanswered,
  ],
  ['a response at the start', [prompt(back()), hm], 'orphan-result', 0, orphan],
  ['a response too many', [go, model(fn()), prompt(back(), back())], 'orphan-result', 2, orphan],
  [
    'a response of no id',
    [go, model(fn('read', 'a')), prompt(back('read', 'x'))],
    'orphan-result',
    2,
    orphan,
  ],
  [
    'two responses of a call',
    [go, model(fn('read', 'a')), prompt(back('read', 'a'), back('read', 'a'))],
    'duplicate-result',
    2,
    orphan,
  ],
  ['a prompt between', [go, model(fn()), go, prompt(back())], 'result-order', 3, orphan],
  [
    'responses in two contents',
    [go, model(fn('read'), fn('ls')), prompt(back('read')), prompt(back('ls'))],
    'result-order',
    3,
    orphan,
  ],
  ['a response of the model', [go, model(fn()), model(back())], 'result-role', 2, 'result of the model'],
  ['a call of the user', [prompt({ text: 'Hm.' }, fn())], 'call-role', 0, 'call of the user'],
  [
    'another name',
    [go, model(fn('read', 'a')), prompt(back('tool_result', 'a'))],
    'result-name',
    2,
    'another name',
  ],
  [
    'another name without ids',
    [go, model(fn('read')), prompt(back('tool_result'))],
    'result-name',
    2,
    orphan,
  ],
  [
    'an id twice',
    [go, model(fn('read', 'a'), fn('ls', 'a')), prompt(back('read', 'a'), back('ls', 'a'))],
    'duplicate-id',
    1,
    twice,
  ],
  ['no parts', [go, model(), go], 'empty-content', 1, 'no content'],
  ['an empty text', [go, model({ text: '' }), go], 'empty-text', 1, 'empty text'],
  ['a part of nothing', [prompt({ text: 'Hm.' }, {})], 'empty-text', 0, 'empty text'],
  [
    'a text as response',
    [go, model(fn()), prompt({ functionResponse: { name: 'read', response: 'a line' } })],
    'result-shape',
    2,
    'response is no object',
  ],
  ['a call first', [model(fn()), prompt(back())], 'call-order', 0, 'calls after the model'],
  [
    'a call behind an answer',
    [go, hm, model(fn()), prompt(back())],
    'call-order',
    2,
    'calls after the model',
  ],
]

// LangChain
const human: Message = { type: 'human', content: 'What is in the file?' }
const ai = (content: unknown, ...ids: unknown[]): Message => ({
  type: 'ai',
  content,
  tool_calls: ids.map((id) => ({ id, name: 'read_file', args: { path: 'a.ts' } })),
})
const toolMessage = (tool_call_id: unknown, content: unknown = 'a line'): Message => ({
  type: 'tool',
  content,
  tool_call_id,
})
const stored = ({ type, ...data }: Message): Message => ({ type, data })
const classes: Record<string, string> = { human: 'HumanMessage', ai: 'AIMessage', tool: 'ToolMessage' }
const constructed = ({ type, ...kwargs }: Message): Message => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', classes[type as string]],
  kwargs,
})

const langchain: Row[] = [
  ['a call at the end', [human, ai('', 'a')], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [human, ai('', 'a'), human], 'unanswered-call', 1, unanswered],
  ['one of two calls', [human, ai('', 'a', 'b'), toolMessage('b')], 'unanswered-call', 1, unanswered],
  ['a stored call', [human, ai('', 'a')].map(stored), 'unanswered-call', 1, unanswered],
  ['a serialised call', [human, ai('', 'a')].map(constructed), 'unanswered-call', 1, unanswered],
  ['a result at the start', [toolMessage('a'), human], 'orphan-result', 0, orphan],
  [
    'a result of no call',
    [human, ai('', 'a'), toolMessage('a'), toolMessage('x')],
    'orphan-result',
    3,
    orphan,
  ],
  ['two results', [human, ai('', 'a'), toolMessage('a'), toolMessage('a')], 'duplicate-result', 3, orphan],
  ['a prompt between', [human, ai('', 'a'), human, toolMessage('a')], 'result-order', 3, orphan],
  ['a result before its call', [human, toolMessage('a'), ai('', 'a')], 'result-order', 1, orphan],
  [
    'a serialised result before its call',
    [human, toolMessage('a'), ai('', 'a')].map(constructed),
    'result-order',
    1,
    orphan,
  ],
  ['an id twice', [human, ai('', 'a', 'a'), toolMessage('a'), toolMessage('a')], 'duplicate-id', 1, twice],
  [
    'a stored id twice',
    [human, ai('', 'a', 'a'), toolMessage('a'), toolMessage('a')].map(stored),
    'duplicate-id',
    1,
    twice,
  ],
  ['a call without id', [human, ai('', undefined), toolMessage('a')], 'missing-id', 1, noId],
  [
    'a result without id',
    [human, ai('', 'a'), toolMessage('a'), toolMessage('')],
    'missing-id',
    3,
    noResultId,
  ],
  ['an answer of nothing', [human, ai('')], 'empty-content', 1, 'no content'],
  ['an answer without parts', [human, ai([]), human], 'empty-content', 1, 'no content'],
  ['a stored answer of nothing', [human, ai('')].map(stored), 'empty-content', 1, 'no content'],
  ['a result of null', [human, ai('', 'a'), toolMessage('a', null)], 'empty-content', 2, 'no content'],
]

export const bad: [Format, Row[]][] = [
  ['openai-responses', responses],
  ['ai-sdk', aiSdk],
  ['ai-sdk-ui', aiSdkUi],
  ['gemini', gemini],
  ['langchain', langchain],
]

const signedCall = { ...fn('read', 'a'), thoughtSignature: 'c2ln' }

export const good: [Format, string, Message[]][] = [
  ['openai-responses', 'a call', [ask, called('a'), put('a'), say('Done.')]],
  ['openai-responses', 'a prompt between', [ask, called('a'), more, put('a')]],
  ['openai-responses', 'outputs in another order', [ask, called('a'), called('b'), put('b'), put('a')]],
  [
    'openai-responses',
    'reasoning, twice before a call',
    [ask, thought('r'), thought('s'), called('a'), put('a')],
  ],
  [
    'openai-responses',
    'reasoning before a search',
    [ask, thought('r'), { type: 'web_search_call', id: 'w' }, say('Hm.')],
  ],
  [
    'openai-responses',
    'reasoning before a reference',
    [ask, thought('r'), { type: 'item_reference', id: 'm' }],
  ],
  [
    'openai-responses',
    'one id for two kinds',
    [ask, called('a'), put('a'), shell, put('a', printed, 'shell_call_output')],
  ],
  ['openai-responses', 'a local shell as Codex answers it', [ask, localShell, put('a')]],
  [
    'openai-responses',
    'a local shell as the reference answers it',
    [ask, localShell, { type: 'local_shell_call_output', id: 'a', output: '{}' }],
  ],
  [
    'openai-responses',
    'a patch without output',
    [ask, called('a', 'apply_patch_call'), put('a', undefined, 'apply_patch_call_output')],
  ],
  ['ai-sdk', 'a call', [ask, toolCalls('a'), answers('a'), say('Done.')]],
  ['ai-sdk', 'results in two messages', [ask, toolCalls('a', 'b'), answers('b'), answers('a'), more]],
  [
    'ai-sdk',
    'a call that the provider executes',
    [ask, say([toolCall('a', { providerExecuted: true })]), more],
  ],
  [
    'ai-sdk',
    'a call that the provider executed',
    [ask, say([toolCall('a', { providerExecuted: true }), toolResult('a'), text('Found.')]), more],
  ],
  ['ai-sdk', 'a call that was approved just now', [ask, say([toolCall('a'), request]), tools(approval)]],
  [
    'ai-sdk',
    'a call that was approved',
    [ask, say([toolCall('a'), request]), tools(approval, toolResult('a')), more],
  ],
  ['ai-sdk', 'a denied call', [ask, toolCalls('a'), tools(toolResult('a', { type: 'execution-denied' }))]],
  ['ai-sdk', 'an empty text beside a call', [ask, say([text(''), toolCall('a')]), answers('a')]],
  ['ai-sdk-ui', 'a call', [asked, ui({ type: 'step-start' }, done, text('Done.'))]],
  ['ai-sdk-ui', 'an output of null', [asked, ui(part('output-available', { output: null }))]],
  ['ai-sdk-ui', 'a failure', [asked, ui(part('output-error', { errorText: 'no' }))]],
  [
    'ai-sdk-ui',
    'a denied call',
    [asked, ui(part('output-denied', { approval: { id: 'x', approved: false } }))],
  ],
  [
    'ai-sdk-ui',
    'a call that was approved just now',
    [asked, ui(part('approval-responded', { approval: { id: 'x', approved: true } }))],
  ],
  [
    'ai-sdk-ui',
    'a call that the provider executes',
    [asked, ui(part('input-available', { providerExecuted: true })), asked],
  ],
  ['ai-sdk-ui', 'an answer without parts', [asked, ui()]],
  ['ai-sdk-ui', 'an id again later', [asked, ui(done), asked, ui(dynamic)]],
  ['gemini', 'a prompt', [{ parts: [{ text: 'Hello.' }] }]],
  ['gemini', 'a call without ids', [go, model(fn()), prompt(back()), hm]],
  [
    'gemini',
    'calls with ids, in another order',
    [go, model(fn('read', 'a'), fn('ls', 'b')), prompt(back('ls', 'b'), back('read', 'a'))],
  ],
  ['gemini', 'a response without the id', [go, model(fn('read', 'a')), prompt(back('read'))]],
  [
    'gemini',
    'a prompt beside a response',
    [go, model(fn()), prompt({ text: 'Here:' }, back(), { text: 'Go on.' })],
  ],
  ['gemini', 'the older role', [go, model(fn()), { role: 'function', parts: [back()] }]],
  [
    'gemini',
    'a signed call',
    [go, model({ text: 'hm', thought: true }, signedCall), prompt(back('read', 'a'))],
  ],
  [
    'gemini',
    'a signature on an empty text',
    [go, model({ text: 'Hm.' }, { text: '', thoughtSignature: 'c2ln' })],
  ],
  [
    'gemini',
    'a response of nothing',
    [go, model(fn()), prompt({ functionResponse: { name: 'read', response: {} } })],
  ],
  ['gemini', 'answers in a row', [go, hm, hm, go]],
  ['langchain', 'a call', [human, ai('', 'a'), toolMessage('a'), ai('Done.')]],
  ['langchain', 'a stored call', [human, ai('', 'a'), toolMessage('a')].map(stored)],
  ['langchain', 'a serialised call', [human, ai('', 'a'), toolMessage('a')].map(constructed)],
  ['langchain', 'results in another order', [human, ai('', 'a', 'b'), toolMessage('b'), toolMessage('a')]],
  ['langchain', 'an id again later', [human, ai('', 'a'), toolMessage('a'), ai('', 'a'), toolMessage('a')]],
  ['langchain', 'a call in parts', [human, ai([{ type: 'text', text: 'Hm.' }], 'a'), toolMessage('a', '')]],
  [
    'langchain',
    'a call of the old kind',
    [
      human,
      { type: 'ai', content: '', additional_kwargs: { function_call: { name: 'f' } }, tool_calls: [] },
      { type: 'function', name: 'f', content: 'a line' },
    ],
  ],
]
