// Hosts that allow one change of a result, before the model sees it: the Claude Agent SDK and the GitHub
// Copilot SDK.
import { cacheAware, TrimtabError } from 'trimtab'
import { trimtab as claude } from 'trimtab/claude-agent'
import { trimtab as copilot } from 'trimtab/copilot'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from './host-tools.js'

const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name} ${i}: and so on, for some characters\n`).join('')
const long = lines('build', 1000)
const page = lines('page', 100)
const referenceIn = (text: unknown) => /recall ([0-9a-f]{8})/.exec(JSON.stringify(text))?.[1]

describe('Claude Agent SDK', () => {
  type Trim = ReturnType<typeof claude>
  let calls = 0
  beforeEach(() => {
    calls = 0
  })
  const answered = async (
    { hooks }: Trim,
    tool_name: string,
    tool_response: unknown,
    session_id = 's',
    more = {},
  ) => {
    const input = {
      session_id,
      tool_name,
      tool_input: {},
      tool_response,
      tool_use_id: `toolu_${calls++}`,
      ...more,
    }
    return (await hooks.PostToolUse[0].hooks[0](input)).hookSpecificOutput?.updatedToolOutput
  }
  const recall = async ({ hooks, recall: [, , , run] }: Trim, args: object, session_id = 's') => {
    const tool_use_id = `toolu_${calls++}`
    await hooks.PreToolUse[0].hooks[0]({ session_id, tool_name: 'mcp__trimtab__recall', tool_use_id })
    return (await run(args, { _meta: { 'claudecode/toolUseId': tool_use_id } })).content[0]?.text
  }

  test('clips long output in the shape of its tool, and recall returns the original', async () => {
    using trim = claude(undefined, { z })
    const bash = { stdout: long, stderr: 'warning', interrupted: false }
    const shown = (await answered(trim, 'Bash', bash)) as typeof bash
    expect(shown).toEqual({ ...bash, stdout: expect.any(String) })
    expect(shown.stdout.length).toBeLessThan(long.length / 2)
    expect(shown.stdout.startsWith('build 0:') && shown.stdout.includes('build 999:')).toBe(true)
    const reference = referenceIn(shown)
    expect(await recall(trim, { reference })).toBe(long)
    expect(await recall(trim, { reference, pattern: 'build 500:' })).toContain('build 500:')
    expect(await recall(trim, { reference }, 'other')).toMatch(/^Error: /)
    expect((await trim.recall[3]({ reference }, {})).content[0]?.text).toMatch(/^Error: /)
  })

  test.each([
    ['Read', (text: string) => ({ type: 'text', file: { filePath: 'a', content: text, numLines: 1 } })],
    ['Grep', (text: string) => ({ mode: 'content', content: text, numFiles: 1 })],
    ['WebFetch', (text: string) => ({ bytes: 1, code: 200, result: text })],
    ['mcp__docs__get', (text: string) => [{ type: 'text', text }]],
    ['Task', (text: string) => ({ content: [{ type: 'text', text }], totalTokens: 1 })],
    ['Other', (text: string) => text],
  ])('replaces a repeated answer of %s with a pointer until Claude Code compacts', async (tool, answer) => {
    using trim = claude(undefined, { z })
    expect(await answered(trim, tool, answer(page))).toBeUndefined()
    const shown = await answered(trim, tool, answer(page))
    const parts = JSON.stringify(shown).replace(
      /"\[Duplicate[^"]*call ID toolu_0[^"]*"/,
      JSON.stringify(page),
    )
    expect(JSON.parse(parts)).toEqual(answer(page))
    expect(await answered(trim, tool, answer(page), 's', { agent_id: 'helper' })).toBeUndefined()
    await trim.hooks.PreCompact[0].hooks[0]({ session_id: 's' })
    expect(await answered(trim, tool, answer(page))).toBeUndefined()
  })

  test('leaves output with other content than text and recalled results unchanged', async () => {
    using trim = claude(undefined, { z })
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } }
    const answers = [
      [{ type: 'text', text: page }, image],
      { file: { base64: 'iVBO' } },
      { a: page },
      null,
      [],
    ]
    for (const answer of [...answers, ...answers])
      expect(await answered(trim, 'Look', answer)).toBeUndefined()
    for (const _ of [1, 2])
      expect(await answered(trim, 'mcp__trimtab__recall', [{ type: 'text', text: page }])).toBeUndefined()
  })

  test('leaves images that a command prints unchanged', async () => {
    using trim = claude({ clip: { max: 2000 }, dedupe: true }, { z })
    const image = { stdout: `data:image/png;base64,${long}`, stderr: '', interrupted: false, isImage: true }
    expect(await answered(trim, 'Bash', image)).toBeUndefined()
    expect(await answered(trim, 'Bash', image)).toBeUndefined()
  })

  test('refers to nothing that the model does not see: Claude Code tells it only that a file was written', async () => {
    using trim = claude({ dedupe: true }, { z })
    const written = { type: 'create', filePath: '/a.ts', content: page, structuredPatch: [] }
    const tool_input = { file_path: '/a.ts', content: page }
    expect(await answered(trim, 'Write', written, 's', { tool_input })).toBeUndefined()
    expect(await answered(trim, 'Bash', { stdout: page, stderr: '' })).toBeUndefined()
    expect(await answered(trim, 'Write', written, 's', { tool_input })).toBeUndefined()
    expect(await answered(trim, 'Bash', { stdout: page, stderr: '' })).toMatchObject({
      stdout: expect.stringContaining('call ID toolu_1') as string,
    })
  })

  test.each<[string, [string, object, object][]]>([
    [
      'edited',
      [
        [
          'Edit',
          { old_string: 'page 1:', new_string: 'page 0:' },
          { oldString: 'page 1:', newString: 'page 0:', structuredPatch: [] },
        ],
        [
          'Edit',
          { old_string: 'page 0:', new_string: 'page 1:' },
          { oldString: 'page 0:', newString: 'page 1:', structuredPatch: [] },
        ],
      ],
    ],
    ['written', [['Write', { content: page }, { type: 'update', content: page, structuredPatch: [] }]]],
  ])('shows a file again that was %s since, even if it is the same', async (_, changes) => {
    using trim = claude({ dedupe: true }, { z })
    const tool_input = { file_path: '/a.ts' }
    const read = { type: 'text', file: { filePath: '/a.ts', content: page, numLines: 100 } }
    expect(await answered(trim, 'Read', read, 's', { tool_input })).toBeUndefined()
    for (const [tool, input, response] of changes) {
      const changed = { filePath: '/a.ts', ...response }
      const more = { tool_input: { ...tool_input, ...input } }
      expect(await answered(trim, tool, changed, 's', more)).toBeUndefined()
    }
    expect(await answered(trim, 'Read', read, 's', { tool_input })).toBeUndefined()
    expect(await answered(trim, 'Read', read, 's', { tool_input })).toBeDefined()
  })

  test('the parameters of recall are a zod shape', () => {
    using trim = claude(undefined, { z })
    const shape = trim.recall[2]
    const of = (name: keyof typeof shape) => shape[name] as unknown as { type: string; isOptional: boolean }
    expect([of('reference'), of('limit')].map(({ type, isOptional }) => [type, isOptional])).toEqual([
      ['string', false],
      ['number', true],
    ])
  })
})

describe('Copilot SDK', () => {
  type Trim = ReturnType<typeof copilot>
  const answered = ({ hooks }: Trim, text: string, sessionId = 's', toolName = 'bash') => {
    const toolResult = { textResultForLlm: text, resultType: 'success' as const, sessionLog: 'log' }
    return hooks.onPostToolUse({ sessionId, toolName, toolArgs: { command: 'x' }, toolResult }, { sessionId })
  }

  test('clips long output, and recall returns the original in the same session only', () => {
    using trim = copilot()
    const shown = answered(trim, long)?.modifiedResult
    expect(shown).toMatchObject({ resultType: 'success', sessionLog: 'log' })
    expect(shown?.textResultForLlm.length).toBeLessThan(long.length / 2)
    const recall = (sessionId: string) =>
      trim.recall.handler({ reference: referenceIn(shown) }, { sessionId })
    expect(recall('s')).toBe(long)
    expect(recall('other')).toMatch(/^Error: /)
    expect(answered(trim, page)).toBeUndefined()
    expect(answered(trim, page)).toBeUndefined()
    expect(answered(trim, long, 's', 'recall')).toBeUndefined()
  })

  test('forgets the least recently used session', () => {
    using trim = copilot(undefined, { maxSessions: 2 })
    const references = ['a', 'b', 'a', 'c'].map((session) => referenceIn(answered(trim, long, session)))
    const recall = (sessionId: string) => trim.recall.handler({ reference: references[0] }, { sessionId })
    expect(['a', 'b', 'c'].map((session) => recall(session) === long)).toEqual([true, false, true])
  })

  test('refuses dedupe', () => {
    expect(() => copilot({ clip: true, dedupe: true })).toThrow('must have clip and no other pass')
  })
})

test.each([
  ['a policy without an applicable pass', cacheAware()],
  ['a policy without clip and dedupe', { recall: true }],
  ['a policy with another pass', { clip: true, age: true }],
])('%s is refused', (_, policy) => {
  expect(() => copilot(policy)).toThrow(TrimtabError)
  expect(() => claude(policy, { z })).toThrow('must have clip or dedupe')
})

test('invalid options are refused', () => {
  expect(() => copilot(undefined, { sessions: 1 } as never)).toThrow('sessions')
  expect(() => claude(undefined, {} as never)).toThrow('z must be')
})
