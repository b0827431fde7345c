import {
  cacheAware,
  clearOldToolUses,
  type Policy,
  rollingContext,
  smartRetention,
  toContextManagement,
} from 'trimtab'
import { describe, expect, test } from 'vitest'

const CLEAR = { type: 'clear_tool_uses_20250919' }

describe('toContextManagement', () => {
  // Accepted by the API: https://platform.claude.com/docs/en/build-with-claude/context-editing
  test.each<[Policy, object]>([
    [{ clear: true }, CLEAR],
    [clearOldToolUses(), CLEAR],
    [
      { clear: { trigger: { type: 'input_tokens', value: 30_000 } } },
      { ...CLEAR, trigger: { type: 'input_tokens', value: 30_000 } },
    ],
    [
      { clear: { trigger: { type: 'tool_uses', value: 20 }, keep: { type: 'tool_uses', value: 5 } } },
      { ...CLEAR, trigger: { type: 'tool_uses', value: 20 }, keep: { type: 'tool_uses', value: 5 } },
    ],
    [
      { clear: { trigger: { type: 'window_fraction', value: 0.5 } }, window: 100_000 },
      { ...CLEAR, trigger: { type: 'input_tokens', value: 50_000 } },
    ],
    [
      { clear: { trigger: { type: 'window_fraction', value: 0.5 } } },
      { ...CLEAR, trigger: { type: 'input_tokens', value: 100_000 } },
    ],
    [
      { clear: { clearAtLeast: { type: 'input_tokens', value: 5000 } } },
      { ...CLEAR, clear_at_least: { type: 'input_tokens', value: 5000 } },
    ],
    [{ clear: { clearAtLeast: 5000 } }, { ...CLEAR, clear_at_least: { type: 'input_tokens', value: 5000 } }],
    [
      { clear: { excludeTools: ['read_file', 'grep'] }, protect: { tools: ['read_file', 'ls'] } },
      { ...CLEAR, exclude_tools: ['read_file', 'grep', 'ls'] },
    ],
    [{ clear: { clearToolInputs: true } }, { ...CLEAR, clear_tool_inputs: true }],
    [{ clear: { clearToolInputs: ['write_file'] } }, { ...CLEAR, clear_tool_inputs: ['write_file'] }],
  ])('translates %j into a clear_tool_uses edit', (policy, edit) => {
    const { edits, betas, ours, policy: rest } = toContextManagement(policy)
    expect(edits).toEqual([edit])
    expect(betas).toEqual(['context-management-2025-06-27'])
    expect(ours).not.toContain('clear')
    expect(rest).not.toHaveProperty('clear')
  })

  test.each<[Policy, string[]]>([
    [{}, []],
    [{ clear: false, dedupe: null }, []],
    [rollingContext(), ['ephemeral', 'age']],
    [smartRetention(), ['ephemeral', 'reads', 'lists', 'summarize', 'clip', 'edits', 'inputs']],
    [{ clear: { includeTools: ['bash'] } }, ['clear']],
    [{ clear: { keep: { type: 'steps', value: 3 } } }, ['clear']],
    [{ clear: true, protect: { paths: ['docs/**'] } }, ['clear']],
    [{ clear: { downTo: 90_000 } }, ['clear']],
  ])('leaves the passes of %j to trimtab', (policy, ours) => {
    const compiled = toContextManagement(policy)
    expect([compiled.edits, compiled.betas, compiled.ours]).toEqual([[], [], ours])
    for (const name of ours) expect(compiled.policy).toHaveProperty(name, policy[name as keyof Policy])
  })

  test('lists settings that the API handles differently', () => {
    const clear = { placeholder: '[gone]' }
    expect(toContextManagement({ clear }).differs).toEqual(['clear.clearErrors', 'clear.placeholder'])
    expect(toContextManagement({ clear: { clearErrors: true } }).differs).toEqual([])
    // A default written out: a policy may come from JSON.
    const cleared = toContextManagement({ clear: { downTo: null } } as unknown as Policy)
    expect([cleared.ours, cleared.differs]).toEqual([[], ['clear.clearErrors']])
    // What stays on the client is not applied differently.
    expect(toContextManagement({ clear: { downTo: 0 } }).differs).toEqual([])
  })

  // The API binds thinking to the messages that it was sent, so its own edits do not affect it.
  test.each<[Policy, object, string[]]>([
    [{ clear: true }, { model: 'claude-opus-5-5' }, []],
    [clearOldToolUses(), { model: 'claude-opus-5-5' }, ['ephemeral']],
    [{ clear: true, dedupe: true, warn: { at: 0.5 } }, { model: 'claude-opus-5-5' }, ['dedupe']],
    [{ dedupe: true }, {}, ['dedupe']],
    [{ dedupe: true }, { model: 'claude-opus-4-5' }, []],
    [{ dedupe: true, binding: 'append-only' }, { model: 'claude-opus-5-5' }, []],
    [{ clear: { includeTools: ['bash'] } }, { model: 'claude-fable-5-2' }, ['clear']],
    [cacheAware({ model: 'claude-opus-5-5' }), {}, ['ephemeral', 'retire', 'budget']],
  ])('lists, for %j with %j, the passes that unbind thinking: %j', (policy, options, unbinds) => {
    const compiled = toContextManagement(policy, options)
    expect(compiled.unbinds).toEqual(unbinds.filter((name) => compiled.ours.includes(name)))
    expect(compiled.unbinds).toEqual(unbinds)
    expect(compiled.ours).not.toContain('binding')
  })

  test('returns the remaining policy with the binding of the model', () => {
    const { policy } = toContextManagement({ clear: true, dedupe: true }, { model: 'claude-opus-5-5' })
    expect(policy).toEqual({ dedupe: true, binding: 'bound' })
  })

  test('puts thinking first and compaction last, each only if requested', () => {
    const compact = { trigger: 60_000, instructions: 'Keep the paths.', pauseAfterCompaction: true }
    const { edits, betas } = toContextManagement({ clear: true }, { thinking: 2, compact })
    expect(edits).toEqual([
      { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 2 } },
      CLEAR,
      {
        type: 'compact_20260112',
        trigger: { type: 'input_tokens', value: 60_000 },
        instructions: 'Keep the paths.',
        pause_after_compaction: true,
      },
    ])
    expect(betas).toEqual(['context-management-2025-06-27', 'compact-2026-01-12'])
    expect(toContextManagement({}, { thinking: 'all', compact: true }).edits).toEqual([
      { type: 'clear_thinking_20251015', keep: 'all' },
      { type: 'compact_20260112' },
    ])
  })

  test.each<[Policy, unknown, string[]]>([
    [{ reasoning: 'drop' }, { type: 'thinking_turns', value: 1 }, []],
    [{ reasoning: 'keep' }, 'all', []],
    [{ reasoning: 'append-only' }, 'all', ['reasoning']],
  ])('translates %j into a clear_thinking edit', (policy, keep, ours) => {
    const compiled = toContextManagement(policy)
    expect(compiled.edits).toEqual([{ type: 'clear_thinking_20251015', keep }])
    expect(compiled.ours).toEqual(ours)
    expect(toContextManagement(policy, { thinking: 3 }).edits).toEqual([
      { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 3 } },
    ])
  })

  test.each<[object, object, string]>([
    [{ clere: true }, {}, 'did you mean `clear`?'],
    [{}, { thinking: 0 }, 'thinking must be'],
    [{}, { compact: { trigger: 49_999 } }, 'compact: trigger must be a whole number of tokens from 50000 on'],
    [{}, { compact: { triger: 60_000 } }, 'did you mean `trigger`?'],
  ])('refuses %j with %j', (policy, options, reason) => {
    expect(() => toContextManagement(policy, options)).toThrow(reason)
  })
})

test.each<Policy>([
  { clear: true, protect: { pinned: ['c0'] } },
  { clear: { excludeTools: ['*'] } },
  { clear: true, protect: { tools: ['*'] } },
  { clear: { excludeTools: ['mcp__*'] } },
  { clear: { clearToolInputs: ['bash', 'mcp__*'] } },
])('keeps on the client what the API would clear: %j', (policy) => {
  const { edits, ours } = toContextManagement(policy)
  expect(edits).toEqual([])
  expect(ours).toEqual(['clear'])
})
