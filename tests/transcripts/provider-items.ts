// What providers and frameworks put into messages beside plain texts, calls and results.
import fc from 'fast-check'
import type { Format } from 'trimtab'
import { image, type Json, png } from './converting.js'

/** A call, as it stands in the answer, and its result. */
interface Use {
  readonly call: Json
  readonly result: Json
}

interface Step {
  readonly said: readonly Json[]
  readonly uses: readonly Use[]
}

interface Turn {
  readonly user: unknown
  readonly steps: readonly Step[]
}

interface Source {
  /** Contents of a user message. */
  readonly users: readonly unknown[]
  /** An answer without anything special. */
  readonly plain: Json
  /** What the model can say beside calls that the host runs. */
  readonly said: readonly ((id: string) => Json[])[]
  readonly uses: readonly ((id: string) => Use)[]
  write(turns: readonly Turn[]): object[]
}

const pdf = 'data:application/pdf;base64,JVBERg=='
const text = (value: string) => ({ type: 'text', text: value })

/** Writes an answer with its calls as one message, and their results as another. */
const inMessages = (
  turns: readonly Turn[],
  field: 'content' | 'parts',
  model: string,
  results: string,
): Json[] =>
  turns.flatMap(({ user, steps }) => [
    { role: 'user', [field]: user },
    ...steps.flatMap(({ said, uses }) => [
      { role: model, [field]: [...said, ...uses.map(({ call }) => call)] },
      ...(uses.length > 0 ? [{ role: results, [field]: uses.map(({ result }) => result) }] : []),
    ]),
  ])

const responsesUse =
  (type: string, call: Json, result: Json) =>
  (id: string): Use => ({
    call: { type: `${type}_call`, id: `item_${id}`, call_id: id, status: 'completed', ...call },
    result: { type: `${type}_call_output`, call_id: id, ...result },
  })
const item = (type: string, fields: Json) => (id: string) => [{ type, id, ...fields }]
const search = (execution: string, own: (id: string) => Json) => (id: string) => [
  { type: 'tool_search_call', id: `${id}_a`, execution, arguments: {}, ...own(id) },
  { type: 'tool_search_output', id: `${id}_b`, execution, tools: [], ...own(id) },
]
const responsesText = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'said' }] }

const responses: Source = {
  users: [
    'hi',
    [{ type: 'input_image', image_url: image }],
    [{ type: 'input_file', filename: 'a.pdf', file_data: pdf }],
  ],
  plain: responsesText,
  said: [
    item('mcp_call', { name: 'q', server_label: 's', arguments: '{}', output: 'text' }),
    item('mcp_list_tools', { server_label: 's', tools: [] }),
    item('web_search_call', { status: 'completed', action: { type: 'search', query: 'q' } }),
    item('file_search_call', { status: 'completed', queries: ['q'], results: [] }),
    item('code_interpreter_call', { code: 'x', container_id: 'c', outputs: [], status: 'completed' }),
    item('image_generation_call', { status: 'completed', result: png }),
    search('server', () => ({ call_id: null })),
    search('client', (id) => ({ call_id: id })),
    item('compaction', { encrypted_content: 'e' }),
    item('brand_new_call', { stuff: 1 }),
    (id) => [
      { type: 'brand_new_call', call_id: id },
      { type: 'brand_new_call_output', call_id: id, output: 'x' },
    ],
    (id) => [{ type: 'reasoning', id, summary: [{ type: 'summary_text', text: 'think' }] }, responsesText],
    () => [{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }],
    () => [
      {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_file', filename: 'a.pdf', file_data: pdf }],
      },
    ],
  ],
  uses: [
    responsesUse('function', { name: 'f', arguments: '{"a":1}' }, { output: 'text' }),
    responsesUse(
      'function',
      { name: 'f', arguments: '{}' },
      { output: [{ type: 'input_image', image_url: image }] },
    ),
    responsesUse('custom_tool', { name: 'g', input: 'free' }, { output: 'text' }),
    responsesUse('local_shell', { action: { type: 'exec', command: ['ls'], env: {} } }, { output: 'a' }),
    responsesUse('shell', { action: { commands: ['ls'] } }, { output: [{ stdout: 'a', stderr: '' }] }),
    responsesUse(
      'apply_patch',
      { operation: { type: 'delete_file', path: 'a' } },
      { status: 'failed', output: 'no' },
    ),
    responsesUse(
      'computer',
      { action: { type: 'wait' } },
      { output: { type: 'computer_screenshot', image_url: image } },
    ),
  ],
  write: (turns) =>
    turns.flatMap(({ user, steps }) => [
      { type: 'message', role: 'user', content: user },
      ...steps.flatMap(({ said, uses }) => [...said, ...uses.flatMap(({ call, result }) => [call, result])]),
    ]),
}

const served =
  (name: string, content: unknown, kind = `${name}_tool_result`) =>
  (id: string) => [
    { type: 'server_tool_use', id: `srvtoolu_${id}`, name, input: {} },
    { type: kind, tool_use_id: `srvtoolu_${id}`, content },
  ]
const anthropicUse = (content: unknown) => (id: string) => ({
  call: { type: 'tool_use', id, name: 'f', input: { a: 1 } },
  result: { type: 'tool_result', tool_use_id: id, ...(content === undefined ? {} : { content }) },
})
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }
const found = { type: 'search_result', source: 's', title: 't', content: [text('found')] }

const anthropic: Source = {
  users: [
    'hi',
    [picture],
    [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'text' } }],
    [found],
  ],
  plain: text('said'),
  said: [
    () => [{ type: 'thinking', thinking: 'think', signature: 's' }, text('said')],
    () => [{ type: 'redacted_thinking', data: 'd' }, text('said')],
    served('web_search', []),
    served('web_fetch', { type: 'web_fetch_result', url: 'u', content: {} }),
    served('code_execution', {
      type: 'code_execution_result',
      stdout: 'x',
      stderr: '',
      return_code: 0,
      content: [],
    }),
    served('bash_code_execution', {
      type: 'bash_code_execution_result',
      stdout: 'x',
      stderr: '',
      return_code: 0,
    }),
    served('tool_search_tool_regex', { tool_references: [] }, 'tool_search_tool_result'),
    (id) => [
      { type: 'mcp_tool_use', id: `mcptoolu_${id}`, name: 'q', server_name: 's', input: {} },
      { type: 'mcp_tool_result', tool_use_id: `mcptoolu_${id}`, is_error: false, content: [text('x')] },
    ],
  ],
  uses: [
    'text',
    undefined,
    [text('x')],
    [picture],
    [found],
    [{ type: 'tool_reference', tool_name: 'x' }],
  ].map(anthropicUse),
  write: (turns) => inMessages(turns, 'content', 'assistant', 'user'),
}

const geminiUse =
  (response: Json, more: Json = {}) =>
  (id: string) => ({
    call: { functionCall: { id, name: 'f', args: { a: 1 } } },
    result: { functionResponse: { id, name: 'f', response, ...more } },
  })

const gemini: Source = {
  users: [
    [{ text: 'hi' }],
    [{ inlineData: { mimeType: 'image/png', data: png } }],
    [{ fileData: { fileUri: 'https://example.org/u', mimeType: 'video/mp4' } }, { text: 'see' }],
  ],
  plain: { text: 'said' },
  said: [
    () => [
      { text: 'think', thought: true },
      { text: 'said', thoughtSignature: 'c2ln' },
    ],
    () => [
      { executableCode: { language: 'PYTHON', code: 'x' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'o' } },
    ],
    () => [{ inlineData: { mimeType: 'image/png', data: png } }],
    (id) => [
      { toolCall: { id, toolType: 'GOOGLE_SEARCH_WEB', args: {} } },
      { toolResponse: { id, toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
    ],
  ],
  uses: [
    geminiUse({ output: 'text' }),
    geminiUse({ error: 'no' }),
    geminiUse({}),
    geminiUse({ a: 1 }, { parts: [{ inlineData: { mimeType: 'image/png', data: png } }] }),
  ],
  write: (turns) => inMessages(turns, 'parts', 'model', 'user'),
}

const aiSdkUse = (output: Json) => (id: string) => ({
  call: { type: 'tool-call', toolCallId: id, toolName: 'f', input: { a: 1 } },
  result: { type: 'tool-result', toolCallId: id, toolName: 'f', output },
})

const aiSdk: Source = {
  users: [
    'hi',
    [{ type: 'image', image }],
    [{ type: 'file', data: 'JVBERg==', mediaType: 'application/pdf' }],
  ],
  plain: text('said'),
  said: [
    () => [
      { type: 'reasoning', text: 'think', providerOptions: { anthropic: { signature: 's' } } },
      text('said'),
    ],
    () => [{ type: 'file', data: png, mediaType: 'image/png' }],
    () => [{ type: 'custom', kind: 'openai-compaction' }],
    () => [{ type: 'reasoning-file', data: png, mediaType: 'image/png' }],
    (id) => [
      { type: 'tool-call', toolCallId: id, toolName: 'web_search', input: {}, providerExecuted: true },
      { type: 'tool-result', toolCallId: id, toolName: 'web_search', output: { type: 'json', value: [] } },
    ],
  ],
  uses: [
    { type: 'text', value: 'text' },
    { type: 'json', value: { a: 1 } },
    { type: 'error-text', value: 'no' },
    { type: 'execution-denied', reason: 'no' },
    { type: 'content', value: [text('x'), { type: 'media', data: png, mediaType: 'image/png' }] },
    { type: 'content', value: [{ type: 'image-url', url: 'https://example.com/a.png' }] },
  ].map(aiSdkUse),
  write: (turns) => inMessages(turns, 'content', 'assistant', 'tool'),
}

const langchainUse =
  (content: unknown, more: Json = {}) =>
  (id: string) => ({
    call: { id, name: 'f', args: { a: 1 }, type: 'tool_call' },
    result: { type: 'tool', tool_call_id: id, content, ...more },
  })

const langchain: Source = {
  users: [
    'hi',
    [{ type: 'image', data: png, mimeType: 'image/png' }],
    [{ type: 'file', data: 'JVBERg==', mimeType: 'application/pdf' }],
    [{ type: 'text-plain', text: 'text', mimeType: 'text/plain' }],
    [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
  ],
  plain: text('said'),
  said: [
    () => [{ type: 'reasoning', reasoning: 'think' }],
    (id) => [
      { type: 'server_tool_call', id, name: 'web_search', args: {} },
      { type: 'server_tool_call_result', toolCallId: id, status: 'success', output: {} },
    ],
    () => [{ type: 'non_standard', value: { a: 1 } }],
    // Not a part: a call whose arguments are no JSON, which no agent answers.
    (id) => [{ invalid: { id, name: 'f', args: '{bad', error: 'no JSON' } }],
  ],
  uses: [
    langchainUse('text'),
    langchainUse('no', { status: 'error' }),
    langchainUse([{ type: 'image', data: png, mimeType: 'image/png' }], { artifact: { a: 1 } }),
  ],
  write: (turns) =>
    turns.flatMap(({ user, steps }) => [
      { type: 'human', content: user },
      ...steps.flatMap(({ said, uses }) => [
        {
          type: 'ai',
          content: [text('said'), ...said.filter((part) => part.invalid === undefined)],
          tool_calls: uses.map(({ call }) => call),
          invalid_tool_calls: said.flatMap(({ invalid }) => invalid ?? []),
        },
        ...uses.map(({ result }) => result),
      ]),
      { type: 'human', content: 'go on' },
    ]),
}

export const SOURCES: Partial<Record<Format, Source>> = {
  'openai-responses': responses,
  anthropic,
  gemini,
  'ai-sdk': aiSdk,
  langchain,
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** Histories with everything that a source has. Each turn ends with a plain answer. */
export const historyOf = ({ plain, said, users, uses, write }: Source): fc.Arbitrary<object[]> => {
  const step = fc.record({
    said: fc.array(fc.nat(), { maxLength: 2 }),
    uses: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  })
  const turn = fc.record({
    user: fc.nat(),
    steps: fc.array(step, { maxLength: 2 }),
    last: fc.array(fc.nat(), { maxLength: 2 }),
  })
  return fc.array(turn, { minLength: 1, maxLength: 3 }).map((turns) => {
    let ids = 0
    const id = () => `id_${ids++}`
    const spoken = (list: readonly number[]) => list.flatMap((at) => pick(said, at)(id()))
    return write(
      turns.map(({ last, steps, user }): Turn => {
        const own = steps.map((one) => ({
          said: spoken(one.said),
          uses: one.uses.map((at) => pick(uses, at)(id())),
        }))
        return { user: pick(users, user), steps: [...own, { said: [...spoken(last), plain], uses: [] }] }
      }),
    )
  })
}
