// Document "Agent Memory and File Write Safety", statement by statement from beginning to end.
import { loadPolicy, toContextManagement } from 'trimtab'
import {
  COMPACTION_PROMPT,
  compact,
  contextWarning,
  SUMMARY_SECTIONS,
  shouldCompact,
} from 'trimtab/compaction'
import { CLEARED_PLACEHOLDER, clearToolUses, PROCESSED_PLACEHOLDER, PROTECTED_TOOLS } from 'trimtab/recipes'
import {
  AGENT_INSTRUCTIONS,
  createTools,
  EDIT_GUIDANCE,
  TOOL_SELECTION_GUIDE,
  WORKSPACE_GUIDANCE,
  WORKSPACE_TEMPLATE_LINE,
} from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { History } from '../timeline/history.js'

const MARKDOWN =
  '# Workspace Context\n\n## Current State\nStatus: Initializing\n\n### Detail\nmore\n\n## Next\nnothing\n'

async function run(
  name: string,
  args: object,
  memory: Record<string, string> = { 'workspace.md': MARKDOWN },
  first?: string,
) {
  const workspace = createWorkspace({ memory: { ...memory } })
  const tools = new Map(createTools(workspace).map((tool) => [tool.name, tool]))
  if (first !== undefined) await tools.get('read_file')?.execute({ file_paths: [first] })
  const answer = await tools.get(name)?.execute(args)
  const path = (args as { path: string }).path
  const { bytes } = await workspace.readFile(path).catch(() => ({ bytes: new Uint8Array() }))
  return { said: answer?.content, isError: answer?.isError, file: new TextDecoder().decode(bytes) }
}

describe('file tools change only the part that they name', () => {
  const path = 'workspace.md'
  test.each<[what: string, name: string, args: object, said: string, file: string]>([
    [
      'edit_file replaces',
      'edit_file',
      { path, old_string: 'Status: Initializing', new_string: 'Status: Phase 2 complete' },
      'Edited workspace.md: replaced 20 chars with 24 chars',
      MARKDOWN.replace('Status: Initializing', 'Status: Phase 2 complete'),
    ],
    [
      'edit_file refuses a text that is not in the file',
      'edit_file',
      { path, old_string: 'Status: Done', new_string: 'x' },
      'Error: old_string not found in workspace.md',
      MARKDOWN,
    ],
    [
      'edit_file refuses a text that occurs several times and lists its lines',
      'edit_file',
      { path, old_string: '## ', new_string: 'x' },
      'Error: old_string appears multiple times in workspace.md. Be more specific. It is on lines 3, 6 and 9.',
      MARKDOWN,
    ],
    [
      'edit_file replaces all occurrences with replace_all',
      'edit_file',
      { path, old_string: '\n## ', new_string: '\n# ', replace_all: true },
      'Edited workspace.md: replaced 4 chars with 3 chars in 2 places',
      MARKDOWN.replaceAll('\n## ', '\n# '),
    ],
    [
      'append_to_file adds at the end',
      'append_to_file',
      { path, content: '\n## New Accomplishment\n- Extracted 47 requirements' },
      'Appended 50 chars to workspace.md',
      `${MARKDOWN}\n## New Accomplishment\n- Extracted 47 requirements`,
    ],
    [
      'append_to_file creates a missing file',
      'append_to_file',
      { path: 'new.md', content: 'x' },
      'Appended 1 chars to new.md',
      'x',
    ],
    [
      'prepend_to_file adds at the beginning',
      'prepend_to_file',
      { path, content: 'Top\n' },
      'Prepended 4 chars to workspace.md',
      `Top\n${MARKDOWN}`,
    ],
    [
      'update_section replaces up to the next header of the same or a higher level',
      'update_section',
      { path, section_header: '## Current State', new_content: 'Phase: 2\nStatus: Processing requirements' },
      'Updated section "Current State" of workspace.md: replaced 37 chars with 40 chars',
      '# Workspace Context\n\n## Current State\nPhase: 2\nStatus: Processing requirements\n\n## Next\nnothing\n',
    ],
    [
      'write_file creates a file',
      'write_file',
      { path: 'big.txt', content: 'x'.repeat(12_345) },
      'Written: big.txt (12,345 bytes)',
      'x'.repeat(12_345),
    ],
  ])('%s', async (_, name, args, said, file) => {
    expect(await run(name, args)).toMatchObject({ said, file })
  })

  test('write_file warns when it overwrites a file that was not read', async () => {
    const blind = await run('write_file', { path, content: 'x' })
    expect(blind).toMatchObject({ isError: false, file: 'x' })
    expect(blind.said).toBe(
      'Written: workspace.md (1 bytes)\nWarning: workspace.md was not read before and has been overwritten. To change part of a file use edit_file, append_to_file, prepend_to_file or update_section.',
    )
    const known = await run('write_file', { path, content: 'x' }, undefined, path)
    expect(known.said).toBe('Written: workspace.md (1 bytes)')
  })
})

describe('texts of the document', () => {
  const GUIDE = `| Scenario | Tool |
|----------|------|
| Change a specific value | \`edit_file\` |
| Add new entry/section | \`append_to_file\` |
| Update markdown section | \`update_section\` |
| Create new file | \`write_file\` |
| Full file replacement (rare) | Read first, then \`write_file\` |`
  test.each<[what: string, text: string, expected: string]>([
    ['the tool selection guide', TOOL_SELECTION_GUIDE, GUIDE],
    [
      'the line of the workspace template',
      WORKSPACE_TEMPLATE_LINE,
      'Update it with edit_file() or append_to_file() to persist important information.',
    ],
    ['the guidance equals that line', WORKSPACE_GUIDANCE, WORKSPACE_TEMPLATE_LINE],
    [
      'the placeholder',
      CLEARED_PLACEHOLDER,
      '[Tool result cleared to save context. Re-run the tool if needed.]',
    ],
    [
      'the placeholder of ContextConfig',
      PROCESSED_PLACEHOLDER,
      '[Result processed - see workspace if needed]',
    ],
    [
      'the warning',
      contextWarning(83),
      '⚠️ CONTEXT APPROACHING LIMIT\n\nYou are at 83% of context capacity. Important tool results will be cleared soon. Save any critical information to workspace.md now.',
    ],
  ])('%s', (_, text, expected) => expect(text).toBe(expected))

  test('agent instructions prefer partial edits to full rewrites', () => {
    expect(AGENT_INSTRUCTIONS).toContain('Prefer edit_file, append_to_file')
    expect(AGENT_INSTRUCTIONS).toContain(GUIDE)
    expect(EDIT_GUIDANCE).toMatch(
      /^Prefer edit_file, append_to_file and update_section over full rewrites with write_file/,
    )
  })

  test('PROTECTED_TOOLS has the tools of the document', () => {
    expect(PROTECTED_TOOLS).toEqual(['read_file', 'list_files', 'list_todos', 'get_progress'])
  })
})

/** Steps of 1,000 estimated tokens each. */
const steps = (names: string[]) => {
  const history = new History().user()
  for (const [i, name] of names.entries()) history.use(name, { i }, `${i} `.padEnd(3500, 'x'))
  return history.messages
}
const cleared = (view: readonly object[], placeholder = CLEARED_PLACEHOLDER) =>
  (view as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }, i) => (content === placeholder ? [i] : []))

describe('clearing tool results', () => {
  const EDIT = {
    type: 'clear_tool_uses_20250919',
    trigger: { type: 'input_tokens', value: 30_000 },
    keep: { type: 'tool_uses', value: 5 },
    exclude_tools: ['read_file'],
    clear_at_least: { type: 'input_tokens', value: 5000 },
  }
  const CLEAR = {
    trigger: { type: 'input_tokens' as const, value: 30_000 },
    keep: { type: 'tool_uses' as const, value: 5 },
    excludeTools: ['read_file'],
    clearAtLeast: { type: 'input_tokens' as const, value: 5000 },
  }

  test('loads the provider’s settings and exports them unchanged', () => {
    const { policy, ignored } = loadPolicy({ context_management: { edits: [EDIT] } })
    expect([policy.clear, ignored]).toEqual([CLEAR, []])
    expect(toContextManagement(policy)).toMatchObject({ edits: [EDIT] })
  })

  test('clears the oldest results first, except the newest five and excluded tools', () => {
    const names = Array.from({ length: 40 }, (_, i) => (i === 3 ? 'read_file' : 'bash'))
    const view = clearToolUses(steps(names), CLEAR)
    const gone = cleared(view)
    expect(gone.slice(0, 4)).toEqual([0, 1, 2, 4])
    expect(gone.every((one, i) => i === 0 || one > (gone[i - 1] as number))).toBe(true)
    expect(gone.includes(3) || gone.some((one) => one >= 35)).toBe(false)
  })

  test('starts at 100,000 tokens and keeps 3 results by default', () => {
    const bash = (count: number) => steps(Array(count).fill('bash'))
    expect(cleared(clearToolUses(bash(95)))).toEqual([])
    const at = 100
    expect(cleared(clearToolUses(bash(at))).length).toBeGreaterThanOrEqual(at - 4)
    expect(clearToolUses(bash(at)).slice(-2)).toEqual(bash(at).slice(-2))
  })

  test('ContextConfig settings load with their defaults', () => {
    expect(loadPolicy({ keep_recent_tool_results: 5 }).policy).toMatchObject({
      clear: {
        trigger: { type: 'input_tokens', value: 80_000 },
        keep: { type: 'tool_uses', value: 5 },
        placeholder: '[Result processed - see workspace if needed]',
      },
      clip: { max: 5000 },
    })
  })
})

describe('compaction', () => {
  test('asks for the five sections of the document, in order', () => {
    expect(SUMMARY_SECTIONS).toEqual([
      'Task Overview',
      'Current State',
      'Important Discoveries',
      'Next Steps',
      'Context to Preserve',
    ])
    const places = SUMMARY_SECTIONS.map((name, i) => COMPACTION_PROMPT.indexOf(`## ${i + 1}. ${name}\n`))
    expect(places.every((place, i) => place > (places[i - 1] ?? 0))).toBe(true)
  })

  test.each([
    ['Task Overview', /core request.*success criteria.*constraints/],
    ['Current State', /completed.*files were modified.*produced/],
    ['Important Discoveries', /Decisions made.*errors.*resolved.*approaches that failed/],
    ['Next Steps', /specific actions needed.*blocks.*priority/],
    ['Context to Preserve', /Preferences of the user.*domain/],
  ])('the section %s asks for what the document names', (name, words) => {
    expect(COMPACTION_PROMPT.split(`${name}\n`)[1]?.split('\n')[0]).toMatch(words)
  })

  test('starts at 100,000 tokens and can use a separate model', async () => {
    const below = steps(Array(95).fill('bash'))
    const above = steps(Array(101).fill('bash'))
    expect([shouldCompact(below), shouldCompact(above)]).toEqual([false, true])
    const models: string[] = []
    const summarize = async () => {
      models.push('cheaper')
      return 'A summary.'
    }
    const { messages, by } = await compact(above, { summarize })
    expect([by, models, JSON.stringify(messages).includes('A summary.')]).toEqual([
      'model',
      ['cheaper'],
      true,
    ])
    const settings = {
      compaction_control: { enabled: true, context_token_threshold: 100_000, model: 'claude-haiku-4-5' },
    }
    expect(loadPolicy(settings)).toMatchObject({ policy: {}, ignored: ['compaction_control'] })
  })
})
