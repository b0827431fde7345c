// Content that no policy changes is reported by type, with its tokens and the reason.
import { Context, type FixedContent, type Format, inspect, project } from 'trimtab'
import { expect, test } from 'vitest'

const long = 'a line of output\n'.repeat(400)
const ask = { role: 'user', content: 'Look it up.' }
const POLICY = { age: { maxToolOutputAge: 0 } }
const CITED = 'later texts cite it'
const IN_CONTAINER = 'later calls use its container or image'
const SIGNED = 'signed together with the thoughts beside it'
const OWN = "sent as the provider's own block"
const BESIDE = 'a field beside the content'
const UNKNOWN = 'of an unknown type: passed on as it is'

const anthropic = (type: string, content: unknown): object[] => [
  ask,
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'So:' },
      { type, tool_use_id: 'srvtoolu_1', content },
    ],
  },
]
const responses = (item: object): object[] => [{ role: 'user', content: 'Go' }, item]
const gemini = (part: object): object[] => [
  { role: 'user', parts: [{ text: 'Go' }] },
  { role: 'model', parts: [{ text: 'So:', thoughtSignature: 'c2ln' }, part] },
]
const output = { type: 'text', value: long }
const result = { type: 'tool-result', toolCallId: 'a', toolName: 'web_search', output }
const ran = {
  type: 'tool-web_search',
  toolCallId: 'a',
  state: 'output-available',
  input: {},
  output: long,
  providerExecuted: true,
}

const rows: [type: string, format: Format, reason: string, messages: object[]][] = [
  [
    'web_search_tool_result',
    'anthropic',
    'encrypted: must be sent back unchanged',
    anthropic('web_search_tool_result', [{ encrypted_content: long }]),
  ],
  ['web_fetch_tool_result', 'anthropic', CITED, anthropic('web_fetch_tool_result', { content: long })],
  [
    'code_execution_tool_result',
    'anthropic',
    IN_CONTAINER,
    anthropic('code_execution_tool_result', { stdout: long }),
  ],
  [
    'bash_code_execution_tool_result',
    'anthropic',
    IN_CONTAINER,
    anthropic('bash_code_execution_tool_result', { stdout: long }),
  ],
  [
    'text_editor_code_execution_tool_result',
    'anthropic',
    IN_CONTAINER,
    anthropic('text_editor_code_execution_tool_result', { content: long }),
  ],
  [
    'tool_search_tool_result',
    'anthropic',
    'later calls use the tools that it defines',
    anthropic('tool_search_tool_result', { content: long }),
  ],
  ['brand_new_block', 'anthropic', UNKNOWN, anthropic('brand_new_block', long)],
  [
    'code_interpreter_call',
    'openai-responses',
    IN_CONTAINER,
    responses({ type: 'code_interpreter_call', id: 'ci', outputs: [{ type: 'logs', logs: long }] }),
  ],
  [
    'file_search_call',
    'openai-responses',
    CITED,
    responses({ type: 'file_search_call', id: 'fs', queries: ['a'], results: [{ text: long }] }),
  ],
  [
    'web_search_call',
    'openai-responses',
    CITED,
    responses({ type: 'web_search_call', id: 'ws', action: { query: long } }),
  ],
  [
    'image_generation_call',
    'openai-responses',
    IN_CONTAINER,
    responses({ type: 'image_generation_call', id: 'ig', result: long }),
  ],
  ['executableCode', 'gemini', SIGNED, gemini({ executableCode: { code: long } })],
  [
    'codeExecutionResult',
    'gemini',
    SIGNED,
    gemini({ thoughtSignature: 'c2ln', codeExecutionResult: { output: long } }),
  ],
  [
    'toolResponse',
    'gemini',
    SIGNED,
    gemini({ toolResponse: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB', response: long } }),
  ],
  ['web_search', 'ai-sdk', OWN, [ask, { role: 'assistant', content: [result] }]],
  [
    'web_search',
    'ai-sdk-ui',
    OWN,
    [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'Go' }] },
      { id: '2', role: 'assistant', parts: [ran] },
    ],
  ],
  [
    'executed_tools',
    'openai-chat',
    BESIDE,
    [ask, { role: 'assistant', content: 'Done.', executed_tools: [{ type: 'search', output: long }] }],
  ],
  [
    'tool_outputs',
    'langchain',
    BESIDE,
    [
      { type: 'human', content: 'Go' },
      {
        type: 'ai',
        content: 'Done.',
        additional_kwargs: { tool_outputs: [{ type: 'web_search_call', long }] },
      },
    ],
  ],
  ['constructor', 'anthropic', UNKNOWN, anthropic('constructor', long)],
  [
    'toolCall',
    'openai-chat',
    UNKNOWN,
    [ask, { role: 'assistant', content: [{ type: 'toolCall', id: 'a', input: { long } }] }],
  ],
]

test.each(rows)('%s of %s: %s', (type, format, reason, messages) => {
  const { fixed } = inspect(messages, { format })
  expect(fixed).toEqual([{ type, blocks: 1, tokens: expect.any(Number), reason }])
  expect(fixed[0]?.tokens).toBeGreaterThan(1000)
  const { report, messages: view } = project(messages, POLICY, { format })
  expect(view).toEqual(messages)
  expect(report.fixed).toEqual(fixed)
  expect(JSON.parse(JSON.stringify(report)).fixed).toEqual(fixed)
  using context = new Context(POLICY, { format })
  expect(context.project(messages).report.fixed).toEqual(fixed)
})

test('blocks of one type are summed, the largest type first', () => {
  const history = [
    ...anthropic('web_fetch_tool_result', { content: 'short' }),
    ...anthropic('code_execution_tool_result', { stdout: long }),
    ...anthropic('code_execution_tool_result', { stdout: long }),
  ]
  const { fixed, tokens } = inspect(history, { format: 'anthropic' })
  expect(fixed.map(({ type, blocks }) => [type, blocks])).toEqual([
    ['code_execution_tool_result', 2],
    ['web_fetch_tool_result', 1],
  ])
  expect(fixed.reduce((sum, one) => sum + one.tokens, 0)).toBe(tokens.other)
})

const IN_TEXT = 'result in a text'
const texts: [name: string, content: unknown, blocks: number][] = [
  ['Roo Code', `[read_file for 'src/a.ts'] Result:\n\n<files>${long}</files>`, 1],
  [
    'Cline',
    [
      { type: 'text', text: "[read_file for 'src/a.ts'] Result:" },
      { type: 'text', text: long },
      { type: 'text', text: '<environment_details>\n# Open tabs\n</environment_details>' },
    ],
    2,
  ],
  ['ReAct', `Observation: ${long}`, 1],
  ['a scratchpad', `Question: why?\nThought: look\nAction: search\nObservation: ${long}`, 1],
  ['Hermes', `<tool_response>\n${long}</tool_response>`, 1],
  ['a user', `My notes say:\nObservation: ${long}`, 0],
  ['a user with a list', `[a] and [b] Result: ${long}`, 0],
]

test.each(texts)('results in the texts of %s', (_, content, blocks) => {
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'I see.' }] }
  const { fixed } = inspect([{ role: 'user', content }, answer], { format: 'anthropic' })
  const reason = "not told apart from the user's words"
  const expected: FixedContent = { type: IN_TEXT, blocks, tokens: expect.any(Number), reason }
  expect(fixed).toEqual(blocks === 0 ? [] : [expected])
})

test('results that a policy can clear are not listed', () => {
  const history = [
    ask,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: long }] },
  ]
  expect(inspect(history).fixed).toEqual([])
  expect(project(history, POLICY).report.fixed).toEqual([])
})
