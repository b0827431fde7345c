import { Context, cacheAware, clearOldToolUses, project, rollingContext, TrimtabError } from 'trimtab'
import { expect, test } from 'vitest'

const use = (id: string): object[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: id, content: `${id} `.padEnd(3000, 'output\n') },
]
const session = (thread: string, uses: number): object[] => [
  { role: 'system', content: 'You work.' },
  { role: 'user', content: thread },
  ...Array.from({ length: uses }, (_, i) => use(`${thread}${i}`)).flat(),
]
const copies = (messages: object[]): object[] => JSON.parse(JSON.stringify(messages)) as object[]
const [one, other] = [session('one', 12), session('other', 12)]
const start = (messages: object[], uses: number) => messages.slice(0, 2 + 2 * uses)

test.each([
  ['the same objects', (messages: object[]) => messages],
  ['copies', copies],
])('the report has a notice if two conversations alternate in one Context: %s', (_, given) => {
  using context = new Context(rollingContext())
  const notices = [5, 6, 7].flatMap((uses) =>
    [one, other].map((messages) => context.project(given(start(messages, uses))).report.notice),
  )
  expect(notices.slice(0, 2)).toEqual([null, null])
  for (const notice of notices.slice(2))
    expect(notice).toMatch(/^this Context alternates between several histories/)
})

test.each([
  ['a history that grows', [3, 4, 5, 6].map((uses) => start(one, uses))],
  ['copies of one', [3, 4, 5, 6].map((uses) => copies(start(one, uses)))],
  [
    'one that is compacted',
    [start(one, 8), [...one.slice(0, 2), ...one.slice(14, 18)], [...one.slice(0, 2), ...one.slice(14, 20)]],
  ],
  ['a new conversation', [start(one, 8), start(other, 1), start(other, 8)]],
  ['an edit at the end', [start(one, 8), start(one, 7), [...start(one, 7), { role: 'user', content: 'no' }]]],
])('the report has no notice for %s', (_, histories) => {
  using context = new Context(rollingContext())
  for (const messages of histories) expect(context.project(messages).report.notice).toBeNull()
})

test('the report has a notice if a Context is given its own view', () => {
  using context = new Context(rollingContext())
  let messages = start(one, 8)
  expect(context.project(messages).report.notice).toBeNull()
  messages = [...context.project(messages).messages, ...use('next')]
  expect(context.project(messages).report.notice).toMatch(/^these messages are the last view/)
})

test('the report has no notice if messages that a view leaves out are removed from the history', () => {
  using context = new Context({ ...rollingContext(), ephemeral: true })
  const passing = { role: 'user', content: 'Time: noon.', metadata: { ephemeral: true } }
  const messages = [...start(one, 8), passing, { role: 'assistant', content: 'Done.' }]
  context.project(messages)
  const kept = [...context.endTurn(messages), { role: 'user', content: 'Go on.' }]
  expect(context.project(kept).report.notice).toBeNull()
  const [first, , ...rest] = messages
  using other = new Context({ exclude: ['other0'] })
  other.project(messages)
  expect(other.project([first as object, ...rest]).report.notice).toBeNull()
})

test('project has a notice for a policy that depends on earlier requests if no state is passed', () => {
  const messages = start(one, 6)
  for (const policy of [cacheAware(), { ...rollingContext(), clearAtLeast: 2000 }]) {
    const { report, state } = project(messages, policy)
    expect(report.notice).toMatch(/Use a Context, or pass `state`/)
    expect(JSON.parse(JSON.stringify(report))).toMatchObject({ notice: report.notice })
    expect(project(messages, policy, { state }).report.notice).toBeNull()
    expect(project(messages, policy, { currentStep: 3 }).report.notice).toBeNull()
    expect(project(messages.slice(0, 2), policy).report.notice).toBeNull()
    using context = new Context(policy)
    expect(context.project(messages).report.notice).toBeNull()
  }
  for (const policy of [rollingContext(), clearOldToolUses(), {}])
    expect(project(messages, policy).report.notice).toBeNull()
})

const revoked = (): object[] => {
  const { proxy, revoke } = Proxy.revocable([], {})
  revoke()
  return proxy
}
const throwing = (): object[] => {
  const messages = start(one, 9)
  messages.forEach((_, index) => {
    Object.defineProperty(messages, index, {
      get: () => {
        throw new Error('host')
      },
    })
  })
  return messages
}

test.each([
  ['undefined', () => undefined],
  ['null', () => null],
  ['a revoked proxy', revoked],
  ['a list whose getters throw', throwing],
])('what is no list of messages is refused after an edited view as before: %s', (_, given) => {
  const codeOf = (context: Context) => {
    try {
      context.project(given() as object[])
    } catch (error) {
      return error instanceof TrimtabError && error.code
    }
  }
  using fresh = new Context(rollingContext())
  using used = new Context(rollingContext())
  expect(used.project(start(one, 8)).report.firstChangedIndex).toBeGreaterThan(0)
  expect(codeOf(used)).toBe('invalid_messages')
  expect(codeOf(fresh)).toBe('invalid_messages')
  expect(used.project(start(one, 9)).report.notice).toBeNull()
})
