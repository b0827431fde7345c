import { Context, type Policy, project, rollingContext } from 'trimtab'
import { expect, test } from 'vitest'

const NOISE = 'a line of output\n'.repeat(60)

const call = (id: string) => [
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: `{"command":"make ${id}"}` } }],
  },
  { role: 'tool', tool_call_id: id, content: `${NOISE}${id}` },
]
const HISTORY = [{ role: 'user', content: 'begin' }, ...['a', 'b', 'c', 'd'].flatMap(call)]
const OLD = rollingContext({ maxToolOutputAge: 0 })
const pinning = (...pinned: string[]): Policy => ({ ...OLD, protect: { ...OLD.protect, pinned } })
/** Number of results that are unchanged. */
const kept = (messages: readonly object[]) =>
  messages.filter((message, at) => 'tool_call_id' in message && message === HISTORY[at]).length

test('a pin keeps a call and its result, while others are cleared', () => {
  expect(kept(project(HISTORY, OLD).messages)).toBe(1)
  const { messages } = project(HISTORY, pinning('b', 'nowhere'))
  expect(messages[4]).toBe(HISTORY[4])
  expect(kept(messages)).toBe(2)
})

test('a pin restores a cleared result, and is saved with a Context', () => {
  const first = project(HISTORY, OLD)
  expect(first.messages[2]).not.toBe(HISTORY[2])
  const context = new Context(pinning('a'), { state: first.state })
  expect(context.project(HISTORY).messages[2]).toBe(HISTORY[2])

  const loaded = Context.fromJSON(JSON.parse(JSON.stringify(context)))
  expect(loaded.policy.protect?.pinned).toEqual(['a'])
  expect(loaded.project(HISTORY).messages[2]).toBe(HISTORY[2])
})

test('project refuses a pin that is not text, and names its place', () => {
  expect(() => project(HISTORY, { protect: { pinned: [1] } } as unknown as Policy)).toThrow(
    /protect\.pinned\.0/,
  )
})
