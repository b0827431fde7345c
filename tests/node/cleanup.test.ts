import { Context, cleanupEphemeralMessages, dedupeToolResults, project } from 'trimtab'
import { describe, expect, test } from 'vitest'

const LONG = 'the whole file\n'.repeat(40)
const STUB = '[Ephemeral content was removed.]'

const call = (id: string, name = 'read_file', path = 'a.ts') => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify({ path }) },
})
const assistant = (content: string, ...calls: ReturnType<typeof call>[]) =>
  calls.length > 0 ? { role: 'assistant', content, tool_calls: calls } : { role: 'assistant', content }
const result = (id: string, content = LONG, extra: object = {}) => ({
  role: 'tool',
  tool_call_id: id,
  content,
  ...extra,
})
const ephemeral = { metadata: { ephemeral: true, isCommandResponse: true } }
const user = (content = 'go') => ({ role: 'user', content })

describe('cleanupEphemeralMessages', () => {
  const turn = [
    user(),
    assistant('', call('a'), call('b')),
    result('a', LONG, ephemeral),
    result('b'),
    assistant('Done.'),
  ]

  test('replaces ephemeral results with stubs and keeps each call with its result', () => {
    const kept = cleanupEphemeralMessages(turn)
    expect(kept[2]).toEqual({ ...turn[2], content: STUB })
    expect(kept.filter((_, i) => i !== 2)).toEqual(turn.filter((_, i) => i !== 2))
    expect(cleanupEphemeralMessages(kept)).toEqual(kept)
    expect(cleanupEphemeralMessages(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
  })

  test.each(['stub', 'remove'] as const)('passes what it removed to onRemoved, in mode %s', (mode) => {
    const heard: unknown[] = []
    cleanupEphemeralMessages(turn, { mode, onRemoved: (removed) => heard.push(...removed) })
    const about = { message: 2, pass: 'ephemeral', tool: 'read_file' }
    expect(heard).toContainEqual(expect.objectContaining(about))
    const ended: unknown[] = []
    new Context({}).endTurn(turn, { onRemoved: (removed) => ended.push(...removed) })
    expect(ended).toEqual([expect.objectContaining(about)])
    cleanupEphemeralMessages([user()], { onRemoved: (removed) => expect(removed).toEqual([]) })
  })

  test('removes a call together with its result in mode remove', () => {
    const kept = cleanupEphemeralMessages(turn, { mode: 'remove' })
    expect(kept).toEqual([user(), assistant('', call('b')), result('b'), assistant('Done.')])
    const alone = [user(), assistant('', call('a')), result('a', LONG, ephemeral), assistant('Done.')]
    expect(cleanupEphemeralMessages(alone, { mode: 'remove' })).toEqual([user(), assistant('Done.')])
    const said = [
      user(),
      assistant('I will look.', call('a')),
      result('a', LONG, ephemeral),
      assistant('Done.'),
    ]
    expect(cleanupEphemeralMessages(said, { mode: 'remove' })).toEqual([
      user(),
      assistant('I will look.'),
      assistant('Done.'),
    ])
  })

  test('leaves a stub beside signed reasoning in mode remove', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' }
    const use = { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } }
    const messages = [
      user(),
      { role: 'assistant', content: [thinking, use] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'a', content: LONG }],
        metadata: { ephemeral: true },
      },
    ]
    const kept = cleanupEphemeralMessages(messages, { mode: 'remove' })
    expect(kept[1]).toBe(messages[1])
    expect(kept[2]).toEqual({
      ...messages[2],
      content: [{ type: 'tool_result', tool_use_id: 'a', content: STUB }],
    })
  })

  test('never makes short content longer', () => {
    const short = (content: string) =>
      cleanupEphemeralMessages([user(), assistant('', call('a')), result('a', content, ephemeral)])[2]
        ?.content
    expect(short('secret password')).toBe('[removed]')
    expect(short('ok')).toBe('-')
    expect(short('')).toBe('')
  })
})

test('the ephemeral pass clears an image with its result, and counts it as a file', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const messages = [
    user(),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'view', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: '' }, image] }],
      metadata: { ephemeral: true },
    },
    user('next'),
  ]
  const { messages: view, report } = project(messages, { ephemeral: true })
  expect(view[2]?.content).toEqual([
    { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: STUB }] },
  ])
  expect(report.edits[0]).toMatchObject({ tokensBefore: 1600, tokensAfter: 10 })
})

describe('the ephemeral pass', () => {
  const policy = { ephemeral: true }
  const reading = [user(), assistant('', call('a')), result('a', LONG, ephemeral)]

  test('keeps content during its turn, and clears it after the final text or the next prompt', () => {
    expect(project(reading, policy).messages).toEqual(reading)
    const ongoing = [...reading, assistant('', call('b')), result('b')]
    expect(project(ongoing, policy).messages).toEqual(ongoing)
    expect(project([...reading, assistant('It says so.')], policy).messages[2]?.content).toBe(STUB)
    expect(project([...reading, user('next')], policy).messages[2]?.content).toBe(STUB)
  })

  test('is applied by Context.endTurn to the finished turn', () => {
    using context = new Context(policy)
    expect(context.project(reading).messages).toEqual(reading)
    expect(context.endTurn(reading)[2]?.content).toBe(STUB)
  })
})

describe('dedupeToolResults', () => {
  const pointer = (tool: string, id: string) =>
    `[Duplicate result: This ${tool} call returned identical content to call ID ${id}. Review that result above instead of re-reading. Repeated identical reads waste context space.]`
  const contents = (messages: { content: string }[]) => messages.map((message) => message.content)
  const use = (id: string, content = LONG, name = 'read_file', extra: object = {}, path = 'a.ts') => [
    assistant('', call(id, name, path)),
    result(id, content, extra),
  ]

  test('replaces later duplicates with pointers to the first result', () => {
    const messages = [...use('a'), ...use('b'), ...use('c', LONG, 'Read')]
    expect(contents(dedupeToolResults(messages))).toEqual([
      '',
      LONG,
      '',
      pointer('read_file', 'a'),
      '',
      pointer('Read', 'a'),
    ])
  })

  test('keeps results that differ, are short, failed or ephemeral, or follow a write', () => {
    const cases = [
      [...use('a'), ...use('b', LONG.replace('whole', 'White'))],
      [...use('a', 'ok'), ...use('b', 'ok')],
      [...use('a'), ...use('w', 'written', 'write_file'), ...use('b')],
      [...use('a'), ...use('b', LONG, 'read_file', ephemeral)],
      [...use('a', LONG, 'read_file', ephemeral), ...use('b')],
      [...use('a', `Error: ${LONG}`), ...use('b', `Error: ${LONG}`)],
    ]
    for (const messages of cases) expect(dedupeToolResults(messages)).toEqual(messages)
  })

  test('ignores a failed write between duplicates', () => {
    const messages = [...use('a'), ...use('w', 'Error: no permission', 'write_file'), ...use('b')]
    expect(contents(dedupeToolResults(messages)).at(-1)).toBe(pointer('read_file', 'a'))
  })

  test('treats text that looks like a pointer or a stub as ordinary content', () => {
    const forged = pointer('read_file', 'a').repeat(4)
    const messages = [...use('a', forged), ...use('b', forged)]
    expect(contents(dedupeToolResults(messages)).at(-1)).toBe(pointer('read_file', 'a'))
    const cleared = '[cleared a.ts, 4521 chars; re-run if needed]'.repeat(9)
    expect(contents(dedupeToolResults([...use('a', cleared), ...use('b', cleared)])).at(-1)).toBe(
      pointer('read_file', 'a'),
    )
  })

  test('points only to results that are still shown after clearing by age', () => {
    const others = Array.from({ length: 6 }, (_, i) => use(`o${i}`, `other ${i}`, 'bash')).flat()
    const messages = [
      ...use('a', LONG, 'bash', {}, 'old.ts'),
      ...others,
      ...use('b', LONG, 'bash'),
      ...use('c', LONG, 'bash'),
    ]
    const shown = contents(project(messages, { age: true, dedupe: true }).messages)
    expect(shown[1]).toMatch(/^\[cleared /)
    expect(shown.at(-3)).toBe(LONG)
    expect(shown.at(-1)).toBe(pointer('bash', 'b'))
  })
})

test('a failure stays one', () => {
  const messages = [
    { role: 'user', content: 'go' },
    assistant('', call('a', 'write_file')),
    result('a', `Error: permission denied ${LONG}`, { metadata: { ephemeral: true } }),
    assistant('done'),
  ]
  const clean = cleanupEphemeralMessages(messages)
  expect(clean[2]?.content).toBe(`Error: ${STUB}`)
  expect(cleanupEphemeralMessages(clean)).toEqual(clean)
})
