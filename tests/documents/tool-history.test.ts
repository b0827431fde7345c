// Document "Smart Tool History Strategy", from beginning to end: which results stay, their replacements, and
// the order.
import { Context, loadPolicy, project, smartRetention } from 'trimtab'
import {
  hideToolArgs,
  keepRecentToolResults,
  smartToolRetention,
  truncateOutput,
  truncateToolResults,
} from 'trimtab/recipes'
import { changelog, compressEdits, fileStateAt } from 'trimtab/timeline'
import { createTools, INTENT_DESCRIPTION, type Tool } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { History } from '../timeline/history.js'

const SAME = 'max_tokens = 4096\n'.repeat(30)
const POINTER = '[Re-read of config.py - see first read above for content]'

const results = (messages: readonly object[]) =>
  (messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
const reads = (count: number) => {
  const history = new History().user()
  for (let i = 0; i < count; i++) history.use('read_file', { path: 'config.py' }, SAME)
  return history.messages
}
const shell = (output: string) => new History().user().use('bash', { command: 'npm test' }, output).messages

describe('smart retention of reads of one file', () => {
  const full = (count: number) => results(smartToolRetention()(reads(count))).map((text) => text === SAME)

  // 1: full. 2: both. 3 to 5: first and last. 6 and more: first, last, and up to three between.
  test.each<[count: number, stay: number[]]>([
    [1, [1]],
    [2, [1, 2]],
    [3, [1, 3]],
    [4, [1, 4]],
    [5, [1, 5]],
    [6, [1, 2, 3, 4, 6]],
    [7, [1, 2, 3, 5, 7]],
    [12, [1, 2, 5, 8, 12]],
  ])('of %i reads, %j stay', (count, stay) => {
    expect(full(count).flatMap((isFull, i) => (isFull ? [i + 1] : []))).toEqual(stay)
  })

  test('replaces other reads with pointers in the document’s words, in the same messages', () => {
    const history = reads(5)
    const view = smartToolRetention()(history) as unknown as { role: string; tool_call_id?: string }[]
    expect(results(view)).toEqual([SAME, POINTER, POINTER, POINTER, SAME])
    expect(view.map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual(
      history.map(({ role, tool_call_id }) => [role, tool_call_id]),
    )
  })

  test('marks pointers in the report', () => {
    const { edits } = project(reads(3), { reads: true }).report
    expect(edits.map(({ message, isPointer }) => [message, isPointer])).toEqual([[4, true]])
  })

  test('counts each file separately', () => {
    const history = new History().user()
    for (const path of ['a.py', 'b.py', 'a.py', 'b.py'])
      history.use('read_file', { path }, SAME.replace('max', path))
    expect(smartToolRetention()(history.messages)).toEqual(history.messages)
  })
})

describe('smart retention of edits', () => {
  const history = () => {
    const made = new History().user()
    for (let i = 0; i < 40; i++) {
      const [old_str, new_str] = [i, i + 1].map((n) => `keep_recent_tool_results(${n})\n`.repeat(20))
      made.use('edit_file', { file_path: 'core/agent.py', old_str, new_str, intent: 'More context' }, 'ok')
    }
    return made.messages
  }

  test('keeps all edits with their intents', () => {
    expect(smartToolRetention()(history())).toEqual(history())
  })

  test('reduces old edits to their intents with keepAllEdits: false', () => {
    const view = JSON.stringify(smartToolRetention({ keepAllEdits: false })(history()))
    expect(view.length).toBeLessThan(JSON.stringify(history()).length * 0.7)
    expect(view).toContain('More context')
  })

  test('edit_file has an optional intent', async () => {
    const tools = createTools(
      createWorkspace({ memory: { 'core/agent.py': 'keep_recent_tool_results(30)\n' } }),
    )
    const edit = tools.find(({ name }) => name === 'edit_file') as Tool
    const { properties, required } = edit.parameters as never as {
      properties: Record<string, object>
      required: string[]
    }
    expect(properties.intent).toEqual({
      type: 'string',
      description: 'Brief description of why this change is being made',
    })
    expect([required.includes('intent'), INTENT_DESCRIPTION]).toEqual([
      false,
      'Brief description of why this change is being made',
    ])
    // The document's own arguments.
    const answer = await edit.execute({
      file_path: 'core/agent.py',
      old_str: 'keep_recent_tool_results(30)',
      new_str: 'keep_recent_tool_results(50)',
      intent: 'Increase tool result retention for better context',
    })
    expect(answer).toMatchObject({
      isError: false,
      content: 'Edited core/agent.py: replaced 28 chars with 28 chars',
    })
  })
})

describe('smart retention of command output', () => {
  const line = (length: number) => `${'x'.repeat(length - 1)}\n`
  const shown = (output: string) => results(smartToolRetention()(shell(output)))[0]

  test.each([
    ['under 1,000 characters', 999],
    ['up to 10,000 characters', 10_000],
  ])('keeps output of %s in full', (_, length) => {
    const output = line(100).repeat(length / 100) + 'y'.repeat(length % 100)
    expect(shown(output)).toBe(output)
  })

  test('keeps the first and last 2,000 characters of longer output and states its size', () => {
    const output =
      `${'line of the test run, of some length or other, and more of it here\n'.repeat(676)}`.slice(0, 45_231)
    const total = output.split('\n').length
    expect(shown(output)).toBe(
      `${output.slice(0, 2000)}\n\n... [truncated: 45,231 chars total, ${total} lines] ...\n\n${output.slice(-2000)}`,
    )
    expect(truncateOutput(output)).toBe(shown(output))
  })

  test('truncates at the length that the host sets', () => {
    const output = line(50).repeat(100)
    expect(results(smartToolRetention({ bashTruncate: 4000 })(shell(output)))[0]).toContain(
      '[truncated: 5,000 chars total, 100 lines]',
    )
  })

  test.each([
    ['under 1,000 characters', 999, []],
    ['from 1,000 characters on', 1000, ['whole, but long: over clip.max it would be clipped']],
    ['of 10,000 characters', 10_000, ['whole, but long: over clip.max it would be clipped']],
  ])('%s: whether the report marks the output as long', (_, length, reasons) => {
    const { report } = project(shell('x'.repeat(length)), smartRetention())
    expect(report.explain(2).map(({ reason }) => reason)).toEqual(expect.arrayContaining(reasons))
    expect(JSON.stringify(report.explain(2)).includes('would be clipped')).toBe(reasons.length > 0)
  })
})

test('smart retention keeps the newest listings and focus results, and all results of other tools', () => {
  const history = new History().user()
  const listing = 'src/a.py\nsrc/b.py\nsrc/some_longer_name.py\n'.repeat(12)
  const names = ['ls', 'lookup', 'focus', 'unfocus', 'ls', 'lookup', 'focus', 'unfocus']
  for (const [i, name] of names.entries()) history.use(name, { query: String(i) }, `${i}\n${listing}`)
  const view = results(smartToolRetention()(history.messages))
  const same = results(history.messages).flatMap((text, i) => (text === view[i] ? [i] : []))
  expect(same).toEqual([1, 4, 5, 6, 7])
})

describe('default settings', () => {
  test('of smart retention are those of the document', () => {
    const history = [...reads(9), ...shell('out '.repeat(4000)).slice(1)]
    expect(
      smartToolRetention({ maxFileReads: 5, keepAllEdits: true, bashTruncate: 10_000 })(history),
    ).toEqual(smartToolRetention()(history))
  })

  test.each<[name: string, view: () => object[], same: () => object[]]>([
    [
      'keep_recent_tool_results(30)',
      () => keepRecentToolResults()(reads(40)),
      () => keepRecentToolResults(30)(reads(40)),
    ],
    ['hide_tool_args(200)', () => hideToolArgs()(reads(4)), () => hideToolArgs(200)(reads(4))],
    [
      'truncate_tool_results(5000)',
      () => truncateToolResults()(shell('y '.repeat(9000))),
      () => truncateToolResults(5000)(shell('y '.repeat(9000))),
    ],
  ])('%s is the default', (_, view, same) => expect(view()).toEqual(same()))

  test('a policy can have a budget of 140,000 tokens', () => {
    const { report } = new Context({ ...smartRetention(), budget: { maxTokens: 140_000 } }).project(reads(3))
    expect(report.tokensAfter).toBeLessThan(140_000)
    expect(loadPolicy({ budget: { maxTokens: 140_000 } }).policy.budget).toMatchObject({ maxTokens: 140_000 })
  })
})

describe('edits and intents of a history', () => {
  const history = () => {
    const made = new History().user('make it better')
    const edit = (file_path: string, old_str: string, new_str: string, intent: string) =>
      made.use('edit_file', { file_path, old_str, new_str, intent }, 'ok')
    edit('core/agent.py', 'keep(30)', 'keep(50)', 'Increased tool retention for better context')
    edit('config.py', 'A = 1', 'A = 2', 'Added new model configuration')
    edit('tools/tools.py', 'wait()', 'wait(9)', 'Fixed bash timeout handling')
    return made
  }

  test('give a changelog', () => {
    expect(changelog(history().messages)).toBe(
      '- core/agent.py: Increased tool retention for better context\n- config.py: Added new model configuration\n- tools/tools.py: Fixed bash timeout handling',
    )
  })

  test('give the content of a file at a turn', () => {
    const made = new History()
    for (let turn = 1; turn <= 50; turn++)
      made
        .user(`turn ${turn}`)
        .use('write_file', { path: 'config.py', content: `turn = ${turn}\n` }, 'Written')
    expect(fileStateAt(made.messages, 'config.py', { moment: 7 }).content).toBe('turn = 7\n')
    expect(fileStateAt(made.messages, 'config.py', { moment: 50 }).content).toBe('turn = 50\n')
  })

  test('are compressed to a few lines', () => {
    const made = new History()
    const intents = [
      'Added AGENT_CONFIG',
      ...Array(3).fill('Modified system prompt'),
      'Added tool definitions',
    ]
    for (let turn = 1; turn <= 50; turn++) {
      made.user(`turn ${turn}`).answer('Done.')
      const intent = turn >= 10 && turn % 10 === 0 ? intents[turn / 10 - 1] : undefined
      if (intent !== undefined)
        made.use(
          'edit_file',
          { path: 'config.py', old_string: `a${turn}`, new_string: `b${turn}`, intent },
          'ok',
        )
    }
    expect(compressEdits(made.messages)).toBe(
      '[Edits to config.py: 5 changes between turns 10-50]\n- Added AGENT_CONFIG\n- Modified system prompt 3x\n- Added tool definitions\n[Full diff available in ground truth]',
    )
  })
})
