import { inspect, type Policy, project, rollingContext, truncateOldToolOutputs } from 'trimtab'
import { describe, expect, test } from 'vitest'

const LONG = 'some output of a tool\n'.repeat(50)
const STUB = '[cleared bash output, 1100 chars; re-run if needed]'
const clearAll: Policy = { age: { maxToolOutputAge: 0, preserveRecentFiles: false } }

/** The cleared old result of a view; the call is followed by further steps. */
function cleared(messages: readonly object[]): unknown {
  const { messages: view, report } = project(messages, clearAll)
  expect(report.edits.map((edit) => edit.text)).toEqual([STUB])
  return view[report.edits[0]?.message as number]
}

describe('ai-sdk', () => {
  const conversation = (output: object) => [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: { x: 1 } }],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'bash', output }] },
    { role: 'assistant', content: 'next' },
  ]
  test.each([
    [
      { type: 'text', value: LONG, providerOptions: { a: 1 } },
      { type: 'text', value: STUB, providerOptions: { a: 1 } },
    ],
    [
      { type: 'content', value: [{ type: 'text', text: LONG }] },
      { type: 'text', value: STUB },
    ],
  ])('writes a stub as text output, which every provider accepts', (output, expected) => {
    expect(cleared(conversation(output))).toEqual({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'bash', output: expected }],
    })
  })
  test('replaces JSON with text, and measures it as JSON', () => {
    const value = { lines: LONG }
    const { messages, report } = project(conversation({ type: 'json', value }), clearAll)
    const text = `[cleared bash output, ${JSON.stringify(value).length} chars; re-run if needed]`
    expect(messages[2]).toMatchObject({ content: [{ output: { type: 'text', value: text } }] })
    expect(report.edits).toHaveLength(1)
  })
})

describe('ai-sdk-ui', () => {
  const part = {
    type: 'tool-bash',
    toolCallId: 'a',
    state: 'output-available',
    input: {},
    output: LONG as unknown,
    callProviderMetadata: { p: { signature: 'x' } },
  }
  const rest = [{ type: 'step-start' }, { type: 'text', text: 'done' }]
  const message = (tool: object) => ({
    id: 'm',
    role: 'assistant',
    parts: [{ type: 'step-start' }, tool, ...rest],
  })

  test('reads the steps within one message, and clears only their old output', () => {
    expect(inspect([message(part)])).toMatchObject({ format: 'ai-sdk-ui', steps: 2 })
    expect(cleared([message(part)])).toEqual(message({ ...part, output: STUB }))
  })
  test('keeps output of tools that the provider ran', () => {
    const messages = [message({ ...part, providerExecuted: true })]
    expect(project(messages, clearAll).messages[0]).toBe(messages[0])
  })
  test('reads a part again after it is answered in place', () => {
    const open: Record<string, unknown> = { ...part, state: 'input-available' }
    delete open.output
    const messages = [message(open)]
    expect(inspect(messages).unansweredCalls).toHaveLength(1)
    Object.assign(open, { state: 'output-available', output: LONG })
    expect(inspect(messages).unansweredCalls).toEqual([])
  })
  test('removes a call together with its result', () => {
    const marked = { ...message(part), metadata: { ephemeral: true } }
    const { messages } = project([marked], { ephemeral: { mode: 'remove', when: 'now' } })
    expect(messages[0]?.parts).toEqual([{ type: 'step-start' }, ...rest])
  })
})

describe('gemini', () => {
  const contents = (response: object) => [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'bash', args: {} }, thoughtSignature: 's' }] },
    { role: 'user', parts: [{ functionResponse: { name: 'bash', response } }] },
    { role: 'model', parts: [{ text: 'next' }] },
  ]
  test.each([
    [{ output: LONG }, { output: STUB }],
    [{ result: LONG }, { result: STUB }],
  ])('keeps the field of a text response', (response, expected) => {
    expect(cleared(contents(response))).toEqual(contents(expected)[2])
  })
  test('replaces any other response with an output field', () => {
    const { messages } = project(contents({ stdout: LONG, code: 0 }), clearAll)
    const size = JSON.stringify({ stdout: LONG, code: 0 }).length
    expect(messages[2]).toEqual(
      contents({ output: `[cleared bash output, ${size} chars; re-run if needed]` })[2],
    )
  })
})

describe('openai-responses', () => {
  test.each([
    ['function_call', LONG, STUB],
    ['function_call', [{ type: 'input_text', text: LONG }], [{ type: 'input_text', text: STUB }]],
    [
      'function_call',
      [
        { type: 'input_image', image_url: 'u' },
        { type: 'input_text', text: LONG },
      ],
      [{ type: 'input_text', text: '[cleared bash output, 1 image, 1915 tokens, step 1; re-run if needed]' }],
    ],
    [
      'shell_call',
      [{ stdout: LONG, stderr: '', outcome: { type: 'exit', exit_code: 1 } }],
      [{ stdout: STUB, stderr: '', outcome: { type: 'exit', exit_code: 1 } }],
    ],
  ])('clears the output of a %s', (type, output, expected) => {
    const named = type === 'shell_call' ? { action: { commands: ['x'] } } : { name: 'bash', arguments: '{}' }
    const items = (output: unknown) => [
      { role: 'user', content: 'go' },
      { type, call_id: 'a', ...named },
      { type: `${type}_output`, call_id: 'a', output },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'next' }] },
    ]
    const tool = type === 'shell_call' ? 'shell' : 'bash'
    const text = JSON.parse(JSON.stringify(expected).replace('cleared bash', `cleared ${tool}`)) as unknown
    expect(project(items(output), clearAll).messages).toEqual(items(text))
  })
})

describe('langchain', () => {
  /** Messages of versions before 1.0: only a method gives the kind. */
  class BaseMessage {
    readonly lc_serializable = true
    readonly content: unknown
    constructor(readonly lc_kwargs: { content: unknown }) {
      this.content = lc_kwargs.content
    }
    get text() {
      return typeof this.content === 'string' ? this.content : ''
    }
  }
  class HumanMessage extends BaseMessage {
    _getType() {
      return 'human'
    }
  }
  class AIMessage extends BaseMessage {
    constructor(
      content: string,
      readonly tool_calls: object[] = [],
    ) {
      super({ content })
    }
    _getType() {
      return 'ai'
    }
  }
  class ToolMessage extends BaseMessage {
    readonly artifact = { raw: [1, 2, 3] }
    constructor(
      content: unknown,
      readonly tool_call_id: string,
    ) {
      super({ content })
    }
    _getType() {
      return 'tool'
    }
  }

  test('keeps the class of a message and everything but its content', () => {
    const result = Object.freeze(new ToolMessage(LONG, 'a'))
    const messages = [
      new HumanMessage({ content: 'go' }),
      new AIMessage('', [{ id: 'a', name: 'bash', args: {} }]),
      result,
      new AIMessage('next'),
    ]
    const edited = cleared(messages) as ToolMessage
    expect(edited).toBeInstanceOf(ToolMessage)
    expect([edited._getType(), edited.text, edited.tool_call_id]).toEqual(['tool', STUB, 'a'])
    expect(edited.artifact).toBe(result.artifact)
    expect(result.content).toBe(LONG)
  })
  test('removes a call from the list of calls', () => {
    const marked = Object.assign(new ToolMessage(LONG, 'a'), { metadata: { ephemeral: true } })
    const next = new HumanMessage({ content: 'go on' })
    const messages = [new AIMessage('I look', [{ id: 'a', name: 'bash', args: {} }]), marked, next]
    const { messages: view } = project(messages, { ephemeral: { mode: 'remove', when: 'now' } })
    expect(view).toEqual([new AIMessage('I look', []), next])
  })
  test('refuses a message whose type cannot be read', () => {
    class Broken {
      _getType(): string {
        throw new Error('no')
      }
    }
    expect(() => project([new Broken()], rollingContext())).toThrow(/messages\[0\]/)
    expect(() => truncateOldToolOutputs([new Broken()])).toThrow(/messages\[0\]/)
  })
})
