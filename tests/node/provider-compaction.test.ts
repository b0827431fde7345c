// Compaction by the provider: an opaque block that replaces everything before it and is never moved, dropped
// or changed.
import {
  Context,
  cacheAware,
  clearOldToolUses,
  inspect,
  type Policy,
  project,
  repair,
  rollingContext,
  smartRetention,
  validate,
} from 'trimtab'
import { compact } from 'trimtab/compaction'
import { describe, expect, test } from 'vitest'
import { BindingProvider, type Block, type Message, signedIn } from './binding.js'
import { problems } from './oracle.js'

const threshold: Block = { type: 'compaction', content: 'So far: all mended.', encrypted_content: 'b3BhcXVl' }
const onDemand: Block = { ...threshold, encrypted_content: null, signature: 'c2lnbmVk' }
const failed: Block = { type: 'compaction', content: null, encrypted_content: null }

const step = (i: number, first: Block[] = []): Message[] => [
  {
    role: 'assistant',
    content: [
      ...first,
      { type: 'thinking', thinking: 'hm', signature: `s${i}` },
      { type: 'tool_use', id: `t${i}`, name: 'read_file', input: { path: `src/${i % 3}.ts` } },
    ],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: `line of ${i % 3}\n`.repeat(400) }],
  },
]

/** A loop in which the answer of step `at` begins with a compaction by the provider. */
function session(steps: number, at: number, block: Block = threshold): Message[] {
  const all = Array.from({ length: steps }, (_, i) => step(i, i === at ? [block] : []))
  return [{ role: 'user', content: 'Mend it.' }, ...all.flat()]
}

const policies: Record<string, Policy> = {
  rolling: rollingContext({ maxToolOutputAge: 1 }),
  smart: smartRetention(),
  clear: clearOldToolUses({
    trigger: { type: 'tool_uses', value: 2 },
    keep: { type: 'tool_uses', value: 1 },
  }),
  cacheAware: cacheAware(),
  thrifty: cacheAware({ character: 'thrifty' }),
  'rolling, deduplicated': { ...rollingContext({ maxToolOutputAge: 3 }), dedupe: true },
  'reasoning dropped': { reasoning: 'drop', age: { maxToolOutputAge: 1 } },
  'inputs and edits': { inputs: { after: 1, tools: ['read_file'], maxChars: 100 }, edits: { after: 1 } },
  'small window': { ...cacheAware({ window: 4000 }), binding: 'bound' },
}

describe.each(Object.entries(policies))('compaction by the provider, under %s', (_, policy) => {
  test.each([12, 4, 1])('is kept as it was sent, and what it replaced is not counted (at step %d)', (at) => {
    const messages = session(20, at)
    const begins = messages.findIndex(({ content }) => (content as Block[])[0] === threshold)
    const provider = new BindingProvider()
    const context = new Context({ binding: 'bound', ...policy })
    let sent: readonly object[] = []
    for (let i = 1; i < messages.length; i += 2) {
      const history = messages.slice(0, i)
      const { messages: view, report } = context.project(history)
      expect(provider.refuses(view)).toEqual([])
      expect(problems(view, 'anthropic')).toEqual([])
      provider.answers(view, messages[i] as Message)
      const before = sent
      sent = view
      if (i <= begins) continue
      expect(view.slice(0, begins)).toEqual(before.slice(0, begins))
      expect((view[begins] as Message).content[0]).toBe(threshold)
      // Counts only the content that the provider still reads.
      expect(report.tokensBefore).toBe(project(history.slice(begins)).report.tokensBefore)
    }
    expect(context.usage(messages)).toEqual(new Context().usage(messages.slice(begins)))
  })
})

test('thinking beside a provider compaction is kept until content after the compaction changes', () => {
  const context = new Context({ age: { maxToolOutputAge: 1 }, binding: 'bound' })
  const messages = session(6, 5)
  for (let i = 1; i < messages.length; i += 2) context.project(messages.slice(0, i))
  expect(signedIn(context.project(messages).messages.slice(11))).toBe(1)
})

test('a fork to before a provider compaction repeats the earlier decisions', () => {
  const context = new Context(rollingContext({ maxToolOutputAge: 1 }))
  const messages = session(8, 6)
  const before = context.project(messages.slice(0, 13)).messages
  context.project(messages)
  expect(context.project(messages.slice(0, 13)).messages).toEqual(before)
})

test('a failed provider compaction is ignored', () => {
  const messages = session(8, 4, failed)
  const context = new Context({ age: { maxToolOutputAge: 1 } }, { model: 'claude-opus-5-5' })
  expect(context.project(messages).report.edits.some(({ message }) => message < 8)).toBe(true)
  expect(validate(messages)).toEqual([])
})

test('project and inspect recognize a provider compaction that the AI SDK gives as text', () => {
  const options = { anthropic: { type: 'compaction', signature: 'x' } }
  const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'ls', input: {} })
  const result = (id: string) => {
    const output = { type: 'text', value: 'a file\n'.repeat(900) }
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'ls', output }] }
  }
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [call('a')] },
    result('a'),
    { role: 'assistant', content: [{ type: 'text', text: 'So far.', providerOptions: options }, call('b')] },
    result('b'),
    { role: 'assistant', content: [call('c')] },
    result('c'),
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ]
  const { messages: view, report } = project(messages, { age: { maxToolOutputAge: 0 } })
  expect(report.edits.map(({ message }) => message)).toEqual([4, 6])
  expect(view[3]).toBe(messages[3])
  const parts = [{ type: 'text', text: 'So far.', providerMetadata: options }]
  const ui = [{ id: 'a', role: 'assistant', parts }]
  expect(inspect(ui).blocks[0]?.isCompaction).toBe(true)
})

describe('validate and repair with a provider compaction', () => {
  test.each<[string, Message[], string[]]>([
    ['one at a threshold', session(4, 2), []],
    [
      'one on demand, first',
      [
        { role: 'assistant', content: [onDemand] },
        { role: 'user', content: 'go' },
      ],
      [],
    ],
    ['first, in an answer', session(4, 0).slice(1), []],
    ['what was compacted is not looked at', session(4, 2).toSpliced(2, 1), []],
    ['one on demand behind others', session(4, 2, onDemand), ['compaction-first']],
    [
      'a call behind it is',
      [{ role: 'assistant', content: [threshold] }, ...step(1), ...step(2).slice(0, 1)],
      ['unanswered-call'],
    ],
  ])('accept or repair the history: %s', (_, messages, rules) => {
    expect(validate(messages).map(({ rule }) => rule)).toEqual(rules)
    expect(problems(messages, 'anthropic').length > 0).toBe(rules.length > 0)
    const { messages: repaired } = repair(messages)
    expect(problems(repaired, 'anthropic')).toEqual([])
    expect(validate(repaired)).toEqual([])
    if (rules.length === 0) expect(repaired).toEqual(messages)
  })

  test('remove only what precedes a signed compaction that is not first', () => {
    const messages = session(4, 2, onDemand)
    const { messages: repaired, repairs } = repair(messages)
    expect(repaired).toEqual(messages.slice(5))
    expect(repairs.map(({ rule }) => rule)).toEqual(['compaction-first'])
  })
})

test('inspect marks the compaction, and counts tokens from there on', () => {
  const messages = session(6, 3)
  const { blocks, tokens } = inspect(messages)
  const at = blocks.findIndex(({ isCompaction }) => isCompaction)
  expect(blocks[at]).toMatchObject({ kind: 'unknown', message: 7, block: 0 })
  expect(tokens.total).toBe(blocks.slice(at).reduce((sum, block) => sum + block.tokens, 0))
})

describe('compact with a provider compaction', () => {
  const options = { threshold: 0, keepRecentMessages: 4 }

  test('replaces the compacted messages with the one that the provider returned', async () => {
    const messages = session(10, -1)
    const message = { role: 'assistant', content: [onDemand] }
    const asked: (readonly object[])[] = []
    const made = await compact(messages, {
      ...options,
      summarize: (_, { messages: part }) => {
        asked.push(part)
        return message
      },
    })
    expect(made).toMatchObject({ by: 'provider', summary: null, compacted: true })
    expect(made.messages[0]).toBe(message)
    // The compacted part is sent without open calls.
    expect(problems(asked[0] as object[], 'anthropic')).toEqual([])
    expect(made.messages.slice(2)).toEqual(messages.slice(-made.messages.length + 2))
    expect(problems(made.messages, 'anthropic')).toEqual([])
    expect(validate(made.messages)).toEqual([])
    // Another compaction: the newer block replaces the older one.
    const newer = { role: 'assistant', content: [{ ...onDemand, signature: 'newer' }] }
    const again = await compact([...made.messages, ...session(20, -1).slice(21)], {
      ...options,
      summarize: (_, { messages: part }) => {
        expect(part[0]).toBe(message)
        return newer
      },
    })
    expect(again.messages[0]).toBe(newer)
    expect(again.messages).not.toContain(message)
    expect(problems(again.messages, 'anthropic')).toEqual([])
  })

  test.each([undefined, () => 'A summary.'])(
    'keeps the block first, alone and unchanged before a summary',
    async (of) => {
      const messages = session(12, 3)
      const made = await compact(messages, of === undefined ? options : { ...options, summarize: of })
      const [first, second] = made.messages as [Message, Message]
      expect((first.content as Block[])[0]).toBe(threshold)
      expect(first.content).toHaveLength(1)
      expect(JSON.stringify(second)).toContain('[Summary of the conversation')
      expect(problems(made.messages, 'anthropic')).toEqual([])
      expect(made.dropped.indices.every((at) => messages[at] !== undefined)).toBe(true)
    },
  )

  test('falls back to a mechanical summary if the returned message has no compaction', async () => {
    const made = await compact(session(12, -1), {
      ...options,
      summarize: () => ({ role: 'assistant', content: [failed] }),
    })
    expect(made.by).toBe('mechanical')
    expect(String(made.failure)).toContain("the provider's message")
  })
})
