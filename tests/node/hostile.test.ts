import {
  Context,
  cleanupEphemeralMessages,
  dedupeToolResults,
  inspect,
  loadPolicy,
  type Policy,
  project,
  recall,
  repair,
  rollingContext,
  smartRetention,
  TrimtabError,
  truncateOldToolOutputs,
  validate,
} from 'trimtab'
import { compact, createContextMonitor } from 'trimtab/compaction'
import { editFile, formatRead } from 'trimtab/files'
import { convertMessages } from 'trimtab/formats'
import { compose, processToolResult } from 'trimtab/recipes'
import { migrateSession } from 'trimtab/sessions'
import { estimateTokens } from 'trimtab/tokens'
import { readTranscript } from 'trimtab/transcripts'
import { afterEach, describe, expect, test, vi } from 'vitest'

const LONG = 'some output of a tool\n'.repeat(50)

/** A valid history of seven steps, whose first result is old enough to be cleared. */
const history = (first: unknown = LONG) => [
  { role: 'user', content: 'go' },
  ...Array.from({ length: 7 }, (_, i) => [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: `c${i}`, type: 'function', function: { name: 'bash', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${i}`, content: i === 0 ? first : LONG },
  ]).flat(),
]

function failure(call: () => unknown): TrimtabError {
  try {
    call()
  } catch (error) {
    if (error instanceof TrimtabError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

async function failureOf(call: () => unknown): Promise<TrimtabError> {
  try {
    await call()
  } catch (error) {
    if (error instanceof TrimtabError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Whatever happened before, the next call works. */
afterEach(() => {
  expect(truncateOldToolOutputs(history())[2]).toEqual({
    role: 'tool',
    tool_call_id: 'c0',
    content: '[cleared bash output, 1100 chars; re-run if needed]',
  })
})

// The types refuse what these tests pass, but JavaScript hosts can pass it.
const run = (messages: unknown, policy: unknown = rollingContext(), options: unknown = {}) =>
  project(messages as object[], policy as Policy, options as object)

describe('invalid input', () => {
  const fine = { role: 'user', content: 'hi' }
  const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] }
  const answer = { role: 'tool', tool_call_id: 'a', content: 'x' }
  test.each<[string, unknown, string, number | undefined]>([
    ['null', null, 'invalid_messages', undefined],
    ['undefined', undefined, 'invalid_messages', undefined],
    ['a string', 'messages', 'invalid_messages', undefined],
    ['an object', { length: 1, 0: fine }, 'invalid_messages', undefined],
    ['a null entry', [fine, null], 'invalid_message', 1],
    ['a hole', Object.assign([fine], { length: 2 }), 'invalid_message', 1],
    ['a number entry', [7], 'invalid_message', 0],
    ['a list entry', [fine, fine, []], 'invalid_message', 2],
    ['a bigint entry', [1n], 'invalid_message', 0],
    ['no role', [fine, { content: 'x' }], 'invalid_message', 1],
    ['an unknown role', [{ role: 'wizard', content: 'x' }], 'invalid_message', 0],
    ['a role that is no string', [{ role: {}, content: 'x' }], 'invalid_message', 0],
    ['an inherited nothing', [Object.create(null)], 'invalid_message', 0],
    ['openai, then anthropic', [fine, answer, use], 'mixed_formats', 2],
    ['anthropic, then openai', [use, fine, answer], 'mixed_formats', 2],
    ['two formats in one message', [{ ...use, tool_calls: [] }], 'unknown_format', 0],
  ])('is refused as a history, with the index of the message: %s', (_, messages, code, index) => {
    for (const call of [
      () => run(messages),
      () => inspect(messages as object[]),
      () => new Context().project(messages as object[]),
    ]) {
      const error = failure(call)
      expect({ code: error.code, index: error.index }).toEqual({ code, index })
      if (index !== undefined) expect(error.message).toContain(`messages[${index}]`)
    }
  })

  test('is refused with the first message that is not of the requested format', () => {
    expect(failure(() => run([fine, use], {}, { format: 'openai-chat' }))).toMatchObject({
      code: 'mixed_formats',
      index: 1,
    })
    const first = failure(() => run([fine], {}, { format: 'gemini' }))
    expect(first.message).toMatch(/^messages\[0\] is not gemini, the format that was asked for/)
    expect(failure(() => run([fine], {}, { format: 'smoke-signals' }))).toMatchObject({
      code: 'invalid_option',
      argument: 'format',
    })
  })

  test.each<[string, unknown, unknown, string]>([
    ['an unknown field', { aeg: true }, {}, 'invalid_policy'],
    ['an unknown setting', { age: { maxAge: 3 } }, {}, 'invalid_policy'],
    ['a negative age', { age: { maxToolOutputAge: -1 } }, {}, 'invalid_policy'],
    ['a fraction', { age: { maxToolOutputAge: 1.5 } }, {}, 'invalid_policy'],
    ['a list', [], {}, 'invalid_policy'],
    ['null', null, {}, 'invalid_policy'],
    ['a bigint', { age: { maxToolOutputAge: 3n } }, {}, 'invalid_policy'],
    ['removal with other passes', { ephemeral: { mode: 'remove' }, dedupe: true }, {}, 'invalid_policy'],
    ['a step that is no number', {}, { currentStep: '3' }, 'invalid_option'],
    ['a negative step', {}, { currentStep: -1 }, 'invalid_option'],
    ['a newer state', {}, { state: { version: 2 } }, 'unsupported_state'],
  ])('is refused as a policy or option: %s', (_, policy, options, code) => {
    expect(failure(() => run(history(), policy, options)).code).toBe(code)
  })

  test.each<[unknown, string, string]>([
    [{ age: { maxToolOutputAge: -1 } }, 'age.maxToolOutputAge', 'a whole number from 0 to 4294967295'],
    [{ dedupe: true, age: { maxToolOutputAge: '5' } }, 'age.maxToolOutputAge', 'text "5"'],
    [{ clear: { trigger: { type: 'tokens', value: 3 } } }, 'clear.trigger.type', '`input_tokens`'],
    [{ clear: { trigger: { type: 'tool_uses' } } }, 'clear.trigger', 'missing field `value`'],
    [{ clear: { trigger: { value: 3 } } }, 'clear.trigger', 'missing field `type`'],
    [{ clear: { trigger: 5 } }, 'clear.trigger', 'expected an object of settings'],
    [{ clear: true, protect: { tools: 'x' } }, 'protect.tools', 'expected a list'],
    [{ clip: { perTool: { bash: { max: 5, hed: 3 } } } }, 'clip.perTool.bash', 'did you mean `head`?'],
    [{ claer: { keep: { type: 'steps', value: 3 } } }, 'policy', 'did you mean `clear`?'],
    [{ warn: { at: 3 } }, 'warn.at', 'a fraction from 0 to 1'],
    [{ window: Number.NaN }, 'window', 'a whole number'],
    [{ clear: { placeholder: '\ud800' } }, 'policy', 'half of a surrogate pair'],
    ['smart-retention', 'policy', 'as a preset gives'],
  ])('is refused with its path in the policy: %j', (policy, place, reason) => {
    const { argument, message } = failure(() => run(history(), policy))
    expect(argument).toBe(place)
    expect(message).toContain(place)
    expect(message).toContain(reason)
    expect(message).not.toMatch(/\b(?:u32|f64|struct|sequence|variant)\b/)
  })

  test.each<[string, () => unknown, string]>([
    ['project', () => run([], {}, { currentstep: 3 }), '`currentStep`'],
    ['project', () => run([], {}, null), 'found null'],
    ['Context', () => new Context({}, { stat: {} } as object), '`state`'],
    ['Context.project', () => new Context({}).project([], { idel: 3 } as object), '`idle`'],
    ['cleanupEphemeralMessages', () => cleanupEphemeralMessages([], { mod: 'stub' } as object), '`mode`'],
    ['dedupeToolResults', () => dedupeToolResults([], 'gemini' as never), 'found "gemini"'],
    ['inspect', () => inspect([], { fromat: 'gemini' } as object), '`format`'],
    ['recall', () => recall([], '00000000', { ofset: 1 } as object), '`offset`'],
    ['smartRetention', () => smartRetention({ maxFileRead: 3 } as object), '`maxFileReads`'],
    ['validate', () => validate([], { fromat: 'gemini' } as object), '`format`'],
    ['repair', () => repair([], null as never), 'found null'],
    ['editFile', () => editFile('x', undefined as never), 'oldString'],
    ['editFile', () => editFile('x', { path: 'a', old_string: 'x' } as never), '`oldString`'],
    ['processToolResult', () => processToolResult(undefined as never), 'toolCall'],
    ['compact', () => compact([], { treshold: 3 } as object), '`threshold`'],
    ['createContextMonitor', () => createContextMonitor({ windw: 3 } as object), '`window`'],
  ])('is refused as options of %s', async (name, call, meant) => {
    const error = await failureOf(call)
    expect(error.code).toBe('invalid_option')
    expect(error.message).toContain(name)
    expect(error.message).toContain(meant)
  })

  test.each<[string, unknown]>([
    ['no function', 5],
    ['of texts', (text: string) => text.length],
    ['that gives too few', () => []],
    ['that gives no kinds', (messages: object[]) => messages.map(() => ({ total: 3 }))],
  ])('is refused as a counter: %s', (_, counter) => {
    const use = () => new Context({}, { counter: counter as never }).project(history())
    const error = failure(use)
    expect(error).toMatchObject({ code: 'invalid_option', argument: 'counter' })
    expect(error.message).toContain('messageCounter(')
  })

  test('is refused as a text and as a saved Context', () => {
    expect(failure(() => estimateTokens(5 as never))).toMatchObject({ argument: 'text' })
    expect(failure(() => readTranscript(5 as never))).toMatchObject({ argument: 'text' })
    expect(failure(() => Context.fromJSON({ version: 1 } as never)).code).toBe('invalid_policy')
  })

  test('is refused as a format by validate; validate and repair accept a known format', () => {
    const messages = [{ role: 'user', content: 'go' }, use]
    expect(validate(messages, { format: 'anthropic' })).toEqual(validate(messages))
    expect(repair(messages, { format: 'anthropic' })).toEqual(repair(messages))
    expect(failure(() => validate(messages, { format: 'openai' as never }))).toMatchObject({
      argument: 'format',
    })
  })

  test('is refused with an error that has only the fields it needs', () => {
    const error = failure(() => run(null))
    expect(Object.keys(error).sort()).toEqual(['argument', 'code', 'name'])
    expect(failure(() => run(history(), {}, { currentStep: '3' })).message).toContain('found "3"')
  })

  test('is refused if the policy is cyclic', () => {
    const policy: Record<string, unknown> = {}
    policy.age = policy
    expect(failure(() => run(history(), policy)).code).toBe('invalid_policy')
  })
})

describe('unusual input', () => {
  const cyclic: Record<string, unknown> = { type: 'custom_thing' }
  cyclic.self = cyclic
  let deep: unknown = 'end'
  for (let i = 0; i < 100_000; i++) deep = [deep]

  test.each<[string, object]>([
    ['a cyclic block', { role: 'user', content: [cyclic] }],
    ['nesting 100,000 deep', { role: 'user', content: [{ type: 'thing', deep }] }],
    ['content that is deep', { role: 'user', content: deep }],
    ['a bigint in a block', { role: 'user', content: [{ type: 'thing', big: 10n }] }],
    ['a date', { role: 'user', content: new Date(0), at: new Date(0) }],
    ['a number as content', { role: 'user', content: 42 }],
    ['null content', { role: 'assistant', content: null }],
    ['null parts', { role: 'user', content: [null, undefined, 3] }],
    ['own __proto__', JSON.parse('{"role":"user","content":"x","__proto__":{"role":"tool"}}')],
    ['no prototype', Object.assign(Object.create(null), { role: 'user', content: 'x' })],
    [
      'a toJSON that throws',
      {
        role: 'user',
        content: [
          {
            type: 'thing',
            toJSON() {
              throw new Error('no')
            },
          },
        ],
      },
    ],
    ['a symbol', { role: 'user', content: [{ type: 'thing', [Symbol('s')]: Symbol('t') }] }],
  ])('is kept unchanged in the view: %s', (_, message) => {
    const messages = [message, ...history().slice(1)]
    const view = run(messages).messages
    expect(view[0]).toBe(message)
    expect(view[2]).not.toBe(messages[2])
  })

  test('is kept in calls with cyclic, deep or invalid arguments', () => {
    for (const input of [cyclic, { path: deep }, '{"path":', deep, undefined, null, 10n]) {
      const use = { type: 'tool_use', id: 'a', name: 'read', input }
      const messages = [{ role: 'assistant', content: [use] }]
      expect(run(messages).messages[0]).toBe(messages[0])
      const call = { id: 'a', type: 'function', function: { name: 'read', arguments: input } }
      const chat = [{ role: 'assistant', content: null, tool_calls: [call, null, 7] }]
      expect(run(chat).messages[0]).toBe(chat[0])
    }
  })

  test('is kept if it has lone surrogates, and gets a well-formed stub', () => {
    const broken = '\ud800 half \udc00'.repeat(200)
    const messages = history(broken)
    expect(project(messages, {}).messages[2]).toBe(messages[2])
    const text = (run(messages).messages[2] as unknown as { content: string }).content
    expect(text).toMatch(
      new RegExp(`^\\[cleared bash output, ${broken.length} chars; recall [0-9a-f]{8}\\]$`),
    )
    const named = history()
    const call = {
      id: 'c0',
      type: 'function',
      function: { name: `b\ud83d${'😀'.repeat(40)}`, arguments: '{"path":"\ud800/x"}' },
    }
    named[1] = { role: 'assistant', content: '', tool_calls: [call] }
    const stub = (run(named).messages[2] as unknown as { content: string }).content
    expect(stub.isWellFormed()).toBe(true)
  })

  test('keeps its own __proto__ when edited, without prototype pollution', () => {
    const messages = history()
    messages[2] = JSON.parse(
      `{"role":"tool","tool_call_id":"c0","content":${JSON.stringify(LONG)},"__proto__":{"polluted":true}}`,
    )
    const edited = run(messages).messages[2] as object
    expect(Object.keys(edited)).toContain('__proto__')
    expect(Object.getPrototypeOf(edited)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('keeps the class of a message when edited', () => {
    class ToolMessage {
      readonly role = 'tool'
      constructor(
        readonly tool_call_id: string,
        readonly content: string,
      ) {}
      get size() {
        return this.content.length
      }
    }
    const messages: object[] = history()
    messages[2] = Object.freeze(new ToolMessage('c0', LONG))
    const edited = run(messages).messages[2] as ToolMessage
    expect(edited).toBeInstanceOf(ToolMessage)
    expect(edited.size).toBe('[cleared bash output, 1100 chars; recall 01234567]'.length)
  })

  test('is edited if its content is a getter, or refused if it cannot be copied', () => {
    class ReadOnly {
      readonly role = 'tool'
      readonly tool_call_id = 'c0'
      get content() {
        return LONG
      }
    }
    class Private {
      readonly role = 'tool'
      readonly tool_call_id = 'c0'
      #content = LONG
      get content() {
        return this.#content
      }
      set content(text) {
        this.#content = text
      }
    }
    const withFirst = (first: object) => history().map((message, i) => (i === 2 ? first : message))
    const original = new ReadOnly()
    const edited = run(withFirst(original)).messages[2] as ReadOnly
    expect(edited).toBeInstanceOf(ReadOnly)
    expect([edited.content, original.content]).toEqual([expect.stringMatching(/^\[cleared/), LONG])
    const error = failure(() => run(withFirst(new Private())))
    expect(error).toMatchObject({ code: 'unreadable_message', index: 2 })
    expect(error.message).toContain('cannot be copied with an edit: TypeError')
  })

  test('is refused if a getter throws, and the next call works', () => {
    const messages: object[] = history()
    messages[3] = {
      role: 'assistant',
      get content() {
        throw new Error('not today')
      },
    }
    const cause = expect.objectContaining({ message: 'not today' })
    for (const call of [() => run(messages), () => validate(messages)]) {
      expect(failure(call)).toMatchObject({ code: 'unreadable_message', index: 3, cause })
    }
    messages[3] = {
      get role() {
        throw new Error('not today')
      },
      content: 'x',
    }
    expect(failure(() => run(messages))).toMatchObject({ code: 'unreadable_message', index: 3, cause })
    const { proxy, revoke } = Proxy.revocable({ role: 'user', content: 'x' }, {})
    revoke()
    expect(failure(() => run([proxy]))).toMatchObject({ code: 'unreadable_message', index: 0 })
    const list = Proxy.revocable([], {})
    list.revoke()
    expect(failure(() => run(list.proxy)).code).toBe('invalid_messages')
  })

  test('is cleared and measured if it is a text of 200 MB', () => {
    const huge = 'x'.repeat(200 << 20)
    const messages = history(huge)
    const [, , cleared] = truncateOldToolOutputs(messages) as { content: string }[]
    expect(cleared?.content).toBe(`[cleared bash output, ${200 << 20} chars; re-run if needed]`)
    const twoByte = `é\u4e16`.repeat(20 << 20)
    const { blocks } = inspect([{ role: 'user', content: twoByte }])
    expect(blocks[0]).toMatchObject({ bytes: (20 << 20) * 5, utf16: twoByte.length })
  })
})

describe('after a failure of the engine', () => {
  test('it restarts and reads the history again', () => {
    const context = new Context(rollingContext())
    const before = context.project(history()).messages
    const encodeInto = vi.spyOn(TextEncoder.prototype, 'encodeInto').mockImplementation(() => {
      throw new WebAssembly.RuntimeError('unreachable')
    })
    const messages = history('different from what was read before\n'.repeat(40))
    expect(failure(() => context.project(messages)).code).toBe('engine_failed')
    expect(failure(() => run(messages)).code).toBe('engine_failed')
    encodeInto.mockRestore()
    expect(context.project(history()).messages).toEqual(before)
    expect(run(messages).messages[2]).not.toBe(messages[2])
    context[Symbol.dispose]()
  })
})

describe('a getter that throws a revoked proxy', () => {
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }
  const unreadable = {
    get role(): string {
      throw revoked()
    },
  }
  const calls: [string, () => unknown][] = [
    ['a policy', () => loadPolicy(unreadable)],
    ['a saved session', () => migrateSession(unreadable)],
    ['a message', () => convertMessages([unreadable], 'openai-chat', { format: 'anthropic' })],
    ['messages to compose', () => compose((messages) => messages)(revoked() as object[])],
  ]
  test.each(calls)('is refused in words: %s', (_, call) => {
    expect(call).toThrow(TrimtabError)
  })

  test('is no TrimtabError', () => {
    expect((revoked() as unknown) instanceof TrimtabError).toBe(false)
    class Own extends TrimtabError {}
    expect(new Own('disposed', 'gone') instanceof TrimtabError).toBe(true)
    expect((new TrimtabError('disposed', 'gone') as unknown) instanceof Own).toBe(false)
    expect(new TrimtabError('disposed', Symbol('s') as never).message).toBe('Symbol(s)')
    expect(new TrimtabError('disposed', 'gone', null as never).message).toBe('gone')
    const { cause } = new TrimtabError('disposed', 'gone', { cause: 1, line: 2 })
    expect(cause).toBe(1)
    expect(Object.keys(new TrimtabError('disposed', 'gone', { cause: 1, line: 2 }))).not.toContain('cause')
  })

  test('TrimtabError takes of its details what can be read', () => {
    const fail = () => {
      throw new Error('host')
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const traps = { ownKeys: fail, get: fail, has: fail }
    for (const details of [proxy, new Proxy({}, traps), 'text', Symbol('s'), 5])
      expect(new TrimtabError('disposed', 'gone', details as never)).toMatchObject({ message: 'gone' })
    const throwing = (name: string) =>
      Object.defineProperty({ index: 1, cause: 2, line: 3 }, name, { get: fail, enumerable: true })
    expect({ ...new TrimtabError('disposed', 'gone', throwing('index')) }).toMatchObject({ line: 3 })
    expect(new TrimtabError('disposed', 'gone', throwing('index')).cause).toBe(2)
    const uncaused = new TrimtabError('disposed', 'gone', throwing('cause'))
    expect(uncaused).toMatchObject({ code: 'disposed', index: 1, line: 3 })
    expect('cause' in uncaused).toBe(false)
  })
})

test('what a function that reads bytes returns may have no text', () => {
  const content = () => Object.create(null) as number
  expect(() => formatRead({ path: 'a', content })).toThrow('must return how many bytes it wrote to target')
})

test('an object with a JSON of its own may hold what JSON has not', () => {
  let deep: object = {}
  for (let i = 0; i < 20_000; i++) deep = { deep }
  const own: [string, object][] = [
    ['a circle', Object.assign({ toJSON: () => 'text '.repeat(100) }, { self: {} as object })],
    ['deep data', { toJSON: () => 'text '.repeat(100), deep }],
    ['a sparse list', { toJSON: () => 'text '.repeat(100), list: Object.assign([], { length: 4e9 }) }],
  ]
  ;(own[0]?.[1] as { self: object }).self = own[0]?.[1] as object
  for (const [what, value] of own) {
    const call = { type: 'tool_use', id: 'a', name: 'f', input: { value } }
    const { report } = project(
      [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [call] },
      ],
      {},
    )
    expect(report.tokensBefore, what).toBeGreaterThan(100)
  }
})
