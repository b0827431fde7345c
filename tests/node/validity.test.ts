import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { inspect, repair, validate } from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test, vi } from 'vitest'
import { conversation, format, type Turn } from './conversation.js'
import { damage, damages } from './damage.js'
import { knownBad, knownGood } from './known-histories/index.js'
import { problems } from './oracle.js'
import { runs } from './random.js'
import { type Message, write } from './write.js'

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

test('there are enough known histories, and their names are unique', () => {
  expect(knownBad.length).toBeGreaterThanOrEqual(60)
  expect(knownGood.length).toBeGreaterThanOrEqual(20)
  expect(new Set(knownBad.map(({ name, format }) => `${format} ${name}`)).size).toBe(knownBad.length)
})

describe('validate and repair of a known bad history', () => {
  test.each(knownBad)('$format: $name', ({ format, messages, rule, index, oracle }) => {
    expect(problems(messages, format)).toContain(oracle)
    const found = validate(messages, { format })
    expect(found.map((problem) => `${problem.index} ${problem.rule}`)).toContain(`${index} ${rule}`)

    const { messages: repaired, repairs } = repair(deepFreeze(messages), { format })
    expect(repairs.map((one) => `${one.index} ${one.rule}`)).toContain(`${index} ${rule}`)
    expect(validate(repaired, { format })).toEqual([])
    expect(problems(repaired, format)).toEqual([])
  })
})

describe('validate and repair of a known good history', () => {
  test.each(knownGood)('$format: $name', ({ format, messages }) => {
    expect(problems(messages, format)).toEqual([])
    expect(validate(messages, { format })).toEqual([])
    const { messages: repaired, repairs } = repair(deepFreeze(messages), { format })
    expect(repairs).toEqual([])
    expect(repaired.every((message, i) => message === messages[i])).toBe(true)
    expect(repaired.length).toBe(messages.length)
  })
})

test('validate counts blocks as inspect does', () => {
  const messages = [
    { role: 'user', content: 'Read it.' },
    {
      role: 'assistant',
      content: 'Reading.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
    },
  ]
  const [problem] = validate(messages)
  expect(problem).toEqual({
    index: 1,
    block: 1,
    rule: 'unanswered-call',
    message: 'the call a has no result',
    repairable: true,
  })
  expect(inspect(messages).blocks.find(({ message, block }) => message === 1 && block === 1)?.callId).toBe(
    'a',
  )
})

test('repair answers an unanswered call, and moves a late result after its call', () => {
  const call = { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'a.ts' }, cache_control: {} }
  const late = { type: 'tool_result', tool_use_id: 'a', content: 'a line', cache_control: {} }
  const messages = [
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: [call, { ...call, id: 'b' }] },
    { role: 'user', content: 'And?' },
    { role: 'user', content: [late, { type: 'text', text: 'There.' }], metadata: { ephemeral: true } },
  ]
  const { messages: repaired, repairs } = repair(messages)
  expect(repaired).toEqual([
    messages[0],
    messages[1],
    {
      role: 'user',
      content: [
        late,
        {
          type: 'tool_result',
          tool_use_id: 'b',
          content: '[No result: the call was interrupted.]',
          is_error: true,
        },
      ],
      metadata: { ephemeral: true },
    },
    messages[2],
    { role: 'user', content: [{ type: 'text', text: 'There.' }], metadata: { ephemeral: true } },
  ])
  const moved = repaired[2]?.content as object[]
  expect(moved[0]).toBe(late)
  expect(repairs).toEqual([
    { index: 1, rule: 'unanswered-call', message: 'gave the call b a result that says it has none' },
    { index: 3, rule: 'result-order', message: 'moved right after message 1, which calls' },
  ])
})

test('repair moves and renames nothing beside signed reasoning, and validate reports it as not repairable', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
  const call = { type: 'tool_use', id: 'a', name: 'read_file', input: {} }
  const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'a line' }] }
  const signed = { role: 'assistant', content: [thinking, call, { type: 'text', text: 'Reading.' }] }
  const history = [{ role: 'user', content: 'Read it.' }, signed, answer]
  const found = validate(history)
  expect(found).toMatchObject([{ index: 1, block: 2, rule: 'calls-not-last', repairable: false }])
  expect(found[0]?.message).toContain('signed reasoning')
  const { messages, repairs } = repair(history)
  expect(repairs).toEqual([])
  expect(messages.every((message, i) => message === history[i])).toBe(true)
})

/** Reasoning and signed blocks, anywhere in messages. */
function reasoning(messages: readonly Message[]): unknown[] {
  return messages.flatMap((message) => {
    const body = (message.data ?? message.kwargs ?? message) as Message
    const blocks = [message, body.content, body.parts].flat() as (Message | undefined)[]
    return blocks.filter(
      (block) =>
        block?.type === 'thinking' ||
        block?.type === 'reasoning' ||
        block?.thought === true ||
        block?.thoughtSignature !== undefined,
    )
  })
}

const unsigned = (turns: Turn[]) => turns.map((turn) => ({ ...turn, reasoning: false }))

describe('damaged conversations', () => {
  test('are accepted by validate if the oracle accepts them, and only then', () => {
    fc.assert(
      fc.property(conversation, format, damages, (turns, format, all) => {
        const messages = damage(write(turns, format), all, format)
        expect(validate(messages, { format }).length === 0).toBe(problems(messages, format).length === 0)
      }),
      runs,
    )
  })

  test('are repaired to histories that both accept', () => {
    fc.assert(
      fc.property(conversation, format, damages, (turns, format, all) => {
        const messages = deepFreeze(damage(write(unsigned(turns), format), all, format))
        const { messages: repaired } = repair(messages, { format })
        expect(problems(repaired, format)).toEqual([])
        expect(validate(repaired, { format })).toEqual([])
      }),
      runs,
    )
  })

  test('keep signed reasoning, and have no repairable problem after the repair', () => {
    fc.assert(
      fc.property(conversation, format, damages, (turns, format, all) => {
        const messages = deepFreeze(damage(write(turns, format), all, format))
        const { messages: repaired } = repair(messages, { format })
        // Responses refuses reasoning that no item follows, so it is removed as a whole.
        if (format !== 'openai-responses') expect(reasoning(repaired)).toEqual(reasoning(messages))
        for (const item of reasoning(repaired)) expect(reasoning(messages)).toContain(item)
        const left = validate(repaired, { format })
        expect(left.filter((problem) => problem.repairable)).toEqual([])
        expect(problems(repaired, format).length === 0).toBe(left.length === 0)
      }),
      runs,
    )
  })

  test('are repaired once, in one way, and keep correct messages as the same objects', () => {
    fc.assert(
      fc.property(conversation, format, damages, (turns, format, all) => {
        // Messages are numbered, so that the original of a copy is known.
        const marked = damage(write(turns, format), all, format).map(
          (message, mark): Message & { mark: number } => ({
            ...message,
            mark,
          }),
        )
        const messages = deepFreeze(marked)
        const { messages: repaired, repairs } = repair(messages, { format })
        const again = repair(repaired, { format })
        expect(again.repairs).toEqual([])
        expect(again.messages.length).toBe(repaired.length)
        expect(again.messages.every((message, i) => message === repaired[i])).toBe(true)
        expect(repair(structuredClone(messages), { format })).toEqual({ messages: repaired, repairs })

        // If messages were duplicated, a repaired copy may equal its original again.
        const unique = all.every(({ kind }) => !kind.startsWith('duplicate'))
        for (const message of unique ? repaired : []) {
          const original = messages[message.mark]
          if (message !== original) expect(message).not.toEqual(original)
        }
        if (repairs.length === 0) expect(repaired.every((message, i) => message === messages[i])).toBe(true)
        const wrong = new Set(validate(messages, { format }).map((problem) => problem.index))
        const isResult = ({ role, type }: Message) => role === 'tool' || type === 'tool'
        const plain = messages.filter((one) => !isResult(one) && typeof one.content === 'string')
        for (const message of plain) if (!wrong.has(message.mark)) expect(repaired).toContain(message)
      }),
      runs,
    )
  })
})

describe('real sessions', () => {
  const data = new URL('../../../shared/data/', import.meta.url)
  const names = ['pi-large-session.jsonl', 'swe-agent-marshmallow-1867.traj', 'cline-session.messages.json']
  if (!existsSync(data)) console.log('real sessions: skipped, ../shared/data is not there')
  const read = (name: string) => readTranscript(readFileSync(new URL(name, data), 'utf8'))

  test.skipIf(!existsSync(data)).each(names)('%s is accepted after repair', (name) => {
    const { messages, format } = read(name)
    deepFreeze(messages)
    const { messages: repaired } = repair(messages, { format })
    expect(validate(repaired, { format })).toEqual([])
    expect(problems(repaired, format)).toEqual([])
    const touched = new Set(validate(messages, { format }).map((problem) => problem.index))
    const kept = new Set(repaired)
    expect(messages.filter((message, i) => !touched.has(i) && !kept.has(message))).toEqual([])
  })

  test.skipIf(!existsSync(data))('calls of the pi session that lose their results get others', () => {
    const { messages, format } = read('pi-large-session.jsonl')
    expect(inspect(messages, { format }).unansweredCalls).toEqual([])
    const results = (message: object) => (message as { content: unknown }).content
    const isResult = (message: object) =>
      JSON.stringify(results(message)).startsWith('[{"type":"tool_result"')
    const first = messages.filter(isResult).slice(0, 18)
    const cut = messages.filter((message) => !first.includes(message))
    const unanswered = validate(cut, { format }).filter(({ rule }) => rule === 'unanswered-call')
    expect(unanswered.length).toBeGreaterThanOrEqual(18)
    const { messages: repaired, repairs } = repair(cut, { format })
    expect(repairs.filter(({ rule }) => rule === 'unanswered-call').length).toBe(unanswered.length)
    expect(inspect(repaired, { format }).unansweredCalls).toEqual([])
  })
})

test.each([null, undefined])('a call that is %s is repaired to one with an id and a result', (nothing) => {
  const call = { id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' } }
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [nothing, call] },
    { role: 'tool', tool_call_id: 'a', content: 'x' },
  ]
  const repaired = repair(messages).messages
  expect(validate(repaired)).toEqual([])
  expect(repaired[1]).toMatchObject({ tool_calls: [{ id: 'call_1_0' }, call] })
})

test('repair copies a list once, however many of its entries it mends', () => {
  const many = Array.from({ length: 1000 }, (_, i) => i)
  const calls = many.map(() => ({ type: 'function', function: { name: 'bash', arguments: '{}' } }))
  const results = many.map(() => ({ role: 'tool', content: 'done' }))
  const messages = [
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: '', tool_calls: calls },
    ...results,
  ]
  const slice = vi.spyOn(Array.prototype, 'slice')
  const repaired = repair(messages, { format: 'openai-chat' })
  const copies = slice.mock.contexts.filter((list) => (list as unknown[]).length === calls.length)
  slice.mockRestore()
  expect(repaired.repairs.length).toBeGreaterThanOrEqual(calls.length)
  expect(validate(repaired.messages)).toEqual([])
  expect(copies.length).toBeLessThan(4)
})
