import {
  loadPolicy,
  off,
  type Policy,
  project,
  rollingContext,
  smartRetention,
  TrimtabError,
  toContextManagement,
} from 'trimtab'
import { describe, expect, test } from 'vitest'

const PLACEHOLDER = '[Result processed - see workspace if needed]'
const CONTEXT_CONFIG: Policy = {
  clear: {
    trigger: { type: 'input_tokens', value: 80_000 },
    keep: { type: 'tool_uses', value: 5 },
    excludeTools: [],
    placeholder: PLACEHOLDER,
  },
  clip: { max: 5000, tools: ['*'] },
  protect: { tools: [] },
}
const AGE = {
  maxToolOutputAge: 5,
  maxToolOutputTokens: 2000,
  preserveRecentFiles: true,
  summarizeOnTruncate: false,
}

describe('loadPolicy of a trimtab policy', () => {
  test.each([off(), rollingContext(), smartRetention(), { dedupe: true }])(
    'returns %j unchanged',
    (policy) => {
      expect(loadPolicy(policy)).toEqual({ policy, ignored: [] })
      expect(loadPolicy(`\ufeff${JSON.stringify(policy)}`)).toEqual({ policy, ignored: [] })
      expect(loadPolicy({ $schema: './policy.schema.json', ...policy })).toEqual({ policy, ignored: [] })
    },
  )
})

describe('loadPolicy of agents.config.json', () => {
  test.each([
    [{}, {}],
    [{ maxToolOutputAge: 3 }, {}],
    [{ enabled: false, maxToolOutputAge: 3 }, {}],
    [{ enabled: true }, { age: AGE }],
    [{ enabled: true, maxToolOutputAge: 3 }, { age: { ...AGE, maxToolOutputAge: 3 } }],
    [
      {
        enabled: true,
        maxToolOutputAge: 5,
        maxToolOutputTokens: 2000,
        preserveRecentFiles: true,
        summarizeOnTruncate: false,
      },
      { age: AGE },
    ],
  ])('reads the contextManagement %j', (contextManagement, policy) => {
    expect(loadPolicy({ contextManagement })).toEqual({ policy, ignored: [] })
  })

  test('lists settings of other programs as ignored', () => {
    const loaded = loadPolicy('{"contextManagement":{"enabled":true},"providers":[],"theme":"dark"}')
    expect(loaded).toEqual({ policy: { age: AGE }, ignored: ['providers', 'theme'] })
  })
})

describe('loadPolicy of Anthropic’s settings', () => {
  const edit = {
    type: 'clear_tool_uses_20250919',
    trigger: { type: 'input_tokens', value: 30_000 },
    keep: { type: 'tool_uses', value: 5 },
    exclude_tools: ['read_file'],
    clear_at_least: { type: 'input_tokens', value: 5000 },
  }
  test('makes a clear pass that converts back to the same edit', () => {
    const { policy, ignored } = loadPolicy({ context_management: { edits: [edit] } })
    expect(policy).toEqual({
      clear: {
        trigger: edit.trigger,
        keep: edit.keep,
        excludeTools: ['read_file'],
        clearAtLeast: edit.clear_at_least,
      },
    })
    expect(ignored).toEqual([])
    expect(toContextManagement(policy).edits).toEqual([edit])
  })

  test.each<[object, object, string[]]>([
    [{ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }, { clear: {} }, []],
    [{ context_management: { edits: [undefined, null] } }, {}, ['edits', 'edits']],
    [{ context_management: { edits: new Array(2) } }, {}, ['edits', 'edits']],
    [
      { context_management: { edits: [{ type: 'compact_20260112' }, edit] } },
      { clear: expect.anything() },
      ['compact_20260112'],
    ],
    [{ compaction_control: { enabled: true, context_token_threshold: 100_000 } }, {}, ['compaction_control']],
    [{ context_management: {} }, {}, []],
  ])('reads %j', (settings, policy, ignored) => {
    expect(loadPolicy(settings)).toEqual({ policy, ignored })
  })

  test('refuses a misspelt setting', () => {
    const settings = { context_management: { edits: [{ ...edit, exclude_tool: ['x'] }] } }
    expect(() => loadPolicy(settings)).toThrow(/exclude_tool.*did you mean `exclude_tools`/)
  })
})

describe('loadPolicy of a ContextConfig', () => {
  test('fills in the specified defaults', () => {
    const all = {
      compaction_threshold_tokens: 80_000,
      summarization_threshold_tokens: 100_000,
      keep_recent_tool_results: 5,
      keep_recent_messages: 20,
      max_tool_result_length: 5000,
      placeholder_text: PLACEHOLDER,
    }
    const ignored = ['summarization_threshold_tokens', 'keep_recent_messages']
    expect(loadPolicy(all)).toEqual({ policy: CONTEXT_CONFIG, ignored })
    expect(loadPolicy({ keep_recent_tool_results: 5 })).toEqual({ policy: CONTEXT_CONFIG, ignored: [] })
  })

  test('reads excluded and protected tools', () => {
    const { policy } = loadPolicy({ exclude_tools: ['grep'], protected_tools: ['read_file'] })
    expect([policy.clear, policy.protect]).toMatchObject([
      { excludeTools: ['grep'] },
      { tools: ['read_file'] },
    ])
  })

  test('makes a policy that clears all but the newest and the protected results', () => {
    const step = (i: number, name: string) => [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: `c${i}`, type: 'function', function: { name, arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `c${i}`, content: 'x'.repeat(3500) },
    ]
    const names = Array.from({ length: 10 }, (_, i) => (i === 1 ? 'read_file' : 'bash'))
    const { policy } = loadPolicy({
      compaction_threshold_tokens: 9000,
      keep_recent_tool_results: 2,
      protected_tools: ['read_file'],
    })
    const view = project(
      names.flatMap((name, i) => step(i, name)),
      policy,
    ).messages
    const cleared = view.flatMap(({ content }, i) => (content === PLACEHOLDER ? [(i - 1) / 2] : []))
    // The ninth result reaches the trigger: all are cleared except the newest two and the protected one.
    expect(cleared).toEqual([0, 2, 3, 4, 5, 6])
  })
})

describe('loadPolicy of settings of smart retention', () => {
  test.each([
    [{ max_file_reads: 4 }, { maxFileReads: 4 }],
    [{ keep_all_edits: false }, { keepAllEdits: false }],
    [{ bash_truncate: 4000 }, { bashTruncate: 4000 }],
    [
      { max_file_reads: 5, keep_all_edits: true, bash_truncate: 10_000 },
      { maxFileReads: 5, keepAllEdits: true, bashTruncate: 10_000 },
    ],
  ])('%j are those of smartRetention', (settings, own) => {
    expect(loadPolicy(settings)).toEqual({ policy: smartRetention(own), ignored: [] })
    expect(loadPolicy({ ...settings, context_size: 9 })).toEqual({
      policy: smartRetention(own),
      ignored: [],
      reading: { limits: { contextSize: 9 } },
    })
  })

  test('those beside a ContextConfig are added to its passes', () => {
    const beside = { keep_recent_tool_results: 5 }
    expect(loadPolicy({ ...beside, max_file_reads: 4 })).toEqual({
      policy: { ...smartRetention({ maxFileReads: 4 }), ...CONTEXT_CONFIG },
      ignored: [],
    })
    const smart = smartRetention({ bashTruncate: 4000 })
    expect(loadPolicy({ ...beside, bash_truncate: 4000 })).toEqual({
      policy: { ...smart, ...CONTEXT_CONFIG, clip: smart.clip },
      ignored: [],
    })
    expect(loadPolicy({ max_tool_result_length: 5000, bash_truncate: 4000 })).toEqual({
      policy: { ...smart, ...CONTEXT_CONFIG },
      ignored: ['bash_truncate'],
    })
  })

  test.each([
    [{ max_file_reads: -1 }, 'max_file_reads'],
    [{ keep_all_edits: 'yes' }, 'keep_all_edits'],
    [{ bash_truncat: 1 }, 'did you mean `bash_truncate`?'],
  ])('%j is refused', (settings, message) => {
    expect(() => loadPolicy(settings)).toThrow(
      expect.objectContaining({ code: 'invalid_policy', message: expect.stringContaining(message) }),
    )
  })
})

describe('loadPolicy of invalid settings', () => {
  test.each<[unknown, string]>([
    ['{', 'a policy is JSON'],
    ['[]', 'a policy must be a JSON object of settings'],
    [null, 'a policy must be a JSON object of settings'],
    [{ aged: true }, 'did you mean `age`?'],
    [{ contextManagment: {} }, 'did you mean `contextManagement`?'],
    [{ contextManagement: 5 }, 'contextManagement: options must be an object with enabled'],
    [{ contextManagement: { enable: true } }, 'unknown field `enable`; did you mean `enabled`?'],
    [{ contextManagement: { maxtooloutputage: 1 } }, 'did you mean `maxToolOutputAge`?'],
    [{ contextManagement: { qqq: 1 } }, 'known are enabled, maxToolOutputAge'],
    [
      { contextManagement: { enabled: 'yes' } },
      'contextManagement: enabled must be true or false, found "yes"',
    ],
    [
      { contextManagement: { maxToolOutputAge: -1 } },
      'contextManagement: maxToolOutputAge must be a whole number from 0 on, found -1',
    ],
    [{ keep_recent_tool_result: 5 }, 'did you mean `keep_recent_tool_results`?'],
    [{ read_max_token: 5 }, 'did you mean `read_max_tokens`?'],
    [{ ephemeral_read_enable: true }, 'did you mean `ephemeral_read_enabled`?'],
    [{ keep_recent_messages: 20, age: true }, 'ContextConfig: unknown field `age`'],
    [{ max_tool_result_length: 1.5 }, 'ContextConfig: max_tool_result_length must be a whole number'],
    [{ placeholder_text: '' }, 'clear.placeholder must have 1 to 160 bytes'],
    [{ exclude_tools: 'grep' }, 'ContextConfig: exclude_tools must be an array of strings, found "grep"'],
    [{ clip: { head: 9000 } }, 'clip.head and clip.tail together'],
  ])('throws with the reason, and the nearest name if there is one: %j', (source, reason) => {
    const load = () => loadPolicy(source as object)
    expect(load).toThrow(TrimtabError)
    expect(load).toThrow(reason)
    try {
      load()
    } catch (error) {
      expect((error as TrimtabError).code).toBe('invalid_policy')
    }
  })
})

test('loadPolicy returns settings of file reading separately', () => {
  const { policy, ignored, reading } = loadPolicy({
    compaction_threshold_tokens: 50_000,
    context_size: 16_000,
    read_max_tokens: 2000,
    ephemeral_read_max_percent: 0.8,
    ephemeral_read_enabled: false,
    file_read_small_threshold: 150,
    file_read_thresholds: { '*.json': { small: 200, large: 1000 } },
  })
  expect(policy.clear).toMatchObject({ trigger: { type: 'input_tokens', value: 50_000 } })
  expect(ignored).toEqual([])
  expect(reading).toEqual({
    limits: {
      contextSize: 16_000,
      readMaxTokens: 2000,
      ephemeralReadMaxPercent: 0.8,
      ephemeralReadEnabled: false,
    },
    threshold: { small: 150 },
    thresholds: { '*.json': { small: 200, large: 1000 } },
  })
  expect(loadPolicy({ file_read_small_threshold: 150 })).toEqual({
    policy: {},
    ignored: [],
    reading: { threshold: { small: 150 } },
  })
  const error = expect.objectContaining({ code: 'invalid_policy' })
  expect(() => loadPolicy({ read_max_tokens: '2000' })).toThrow(error)
  expect(() => loadPolicy({ context_size: '16k' })).toThrow(error)
  expect(() => loadPolicy({ file_read_thresholds: { '*.json': 200 } })).toThrow(error)
})
