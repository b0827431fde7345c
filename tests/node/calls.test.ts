import { Context, project } from 'trimtab'
import { clearToolUses } from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'

const long = 'a line of text\n'.repeat(60)
const policy = { inputs: { after: 0 }, age: { maxToolOutputAge: 0, preserveRecentFiles: false } }

describe('editing call arguments', () => {
  test('edits both call and result of an AI SDK part that holds them', () => {
    const part = (id: string) => ({
      type: 'tool-write_file',
      toolCallId: id,
      state: 'output-available',
      input: { path: `${id}.ts`, content: long, mode: 0o644 },
      output: long,
    })
    const parts = [
      part('a'),
      { type: 'step-start' },
      part('b'),
      { type: 'step-start' },
      { type: 'text', text: 'ok' },
    ]
    const messages = [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'go' }] },
      { id: '2', role: 'assistant', parts },
    ]
    const view = project(messages, policy, { format: 'ai-sdk-ui' }).messages
    const shown = (view[1] as unknown as { parts: ReturnType<typeof part>[] }).parts
    expect(shown[0]?.input).toEqual({
      path: 'a.ts',
      content: expect.stringMatching(/^a line of text\n.{10,90}… \[900 chars\]$/s) as string,
      mode: 0o644,
    })
    expect(shown[0]?.output).toMatch(/^\[cleared a\.ts, 900 chars/)
    expect(shown[4]).toBe(parts[4])
    expect(project(view, policy, { format: 'ai-sdk-ui' }).messages).toEqual(view)
    // The result of a part of which only the call was cut is still a result.
    const calls = project(messages, { inputs: { after: 0 } }, { format: 'ai-sdk-ui' }).messages
    const again = project(calls, policy, { format: 'ai-sdk-ui' }).messages
    expect(again).toEqual(view)
  })

  test('keeps JSON text as text, and the class of a call', () => {
    class Call {
      id = 'a'
      type = 'function'
      function: object
      constructor(args: unknown) {
        this.function = { name: 'write_file', arguments: args }
      }
    }
    const input = { path: 'a.ts', content: long }
    for (const args of [JSON.stringify(input), input]) {
      const messages = [
        { role: 'assistant', content: null, tool_calls: [Object.freeze(new Call(args))] },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
        { role: 'assistant', content: 'done' },
      ]
      const [message] = project(messages, { inputs: { after: 0 } }).messages
      const call = (message as { tool_calls: [Call] }).tool_calls[0]
      expect(call).toBeInstanceOf(Call)
      const shown = (call.function as { arguments: unknown }).arguments
      expect(typeof shown).toBe(typeof args)
      const read = (typeof shown === 'string' ? JSON.parse(shown) : shown) as typeof input
      expect(read.path).toBe('a.ts')
      expect(read.content).toMatch(/… \[900 chars\]$/)
    }
  })

  test('clears arguments with their results if clearToolInputs is set', () => {
    const messages = [1, 2, 3].flatMap((number) => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `t${number}`, name: 'bash', input: { command: `ls\n${long}` } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${number}`, content: long }] },
    ])
    const options = {
      trigger: { type: 'tool_uses', value: 1 },
      keep: { type: 'tool_uses', value: 1 },
    } as const
    const view = clearToolUses(messages, { ...options, clearToolInputs: true })
    const commands = view.flatMap(({ content }) => content.map((part) => ('input' in part ? part.input : 0)))
    expect(commands.filter(Boolean)).toEqual([
      { command: 'ls\n… [903 chars]' },
      { command: 'ls\n… [903 chars]' },
      { command: `ls\n${long}` },
    ])
  })
})

test("reasoning: 'drop' removes reasoning_content with its field, but keeps it in the current turn", () => {
  const answer = { role: 'assistant', content: 'yes', reasoning_content: 'hm' }
  const messages = [{ role: 'user', content: 'a?' }, answer, { role: 'user', content: 'b?' }, { ...answer }]
  const view = project(Object.freeze(messages), { reasoning: 'drop' }).messages
  expect(view).toEqual([messages[0], { role: 'assistant', content: 'yes' }, messages[2], messages[3]])
})

test('a state does not apply to a call whose arguments have changed', () => {
  const history = (input: object) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'write_file', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
    { role: 'assistant', content: 'done' },
  ]
  using context = new Context({ inputs: { after: 0 } })
  const input = { path: 'a', content: long }
  const { state } = context.project(history(input))
  // The same number of bytes as JSON, but in texts that are all short.
  const lines = Array.from({ length: 15 }, () => 'x'.repeat(50))
  const missing = JSON.stringify(input).length - JSON.stringify({ path: 'a', content: [...lines, ''] }).length
  const other = history({ path: 'a', content: [...lines, 'y'.repeat(missing)] })
  expect(JSON.stringify(other).length).toBe(JSON.stringify(history(input)).length)
  expect(project(other, { inputs: { after: 0 } }, { state }).messages).toEqual(other)
})
