import { Context, type Projection, rollingContext } from 'trimtab'
import { definePanel } from 'trimtab/panel'
import { expect, test } from 'vitest'

const history = [{ role: 'user', content: 'hello' }]

test('onView passes on each view to be sent, the latest at once, and none after it is stopped', () => {
  const context = new Context(rollingContext())
  const seen: Projection<object>[] = []
  const stop = context.onView((view) => seen.push(view))
  expect(seen).toEqual([])
  const first = context.project(history)
  expect(seen).toEqual([first])
  // A view of an earlier step makes no decisions and is not sent.
  context.project(history, { currentStep: 0 })
  expect(seen).toHaveLength(1)
  const late: Projection<object>[] = []
  context.onView((view) => late.push(view))
  expect(late).toEqual([first])
  stop()
  stop()
  const second = context.project([...history, { role: 'assistant', content: 'hi' }])
  expect(seen).toHaveLength(1)
  expect(late).toEqual([first, second])
  expect(late[1]?.report.cache).not.toBeNull()
})

test('onView throws on a disposed Context', () => {
  const context = new Context()
  context[Symbol.dispose]()
  expect(() => context.onView(() => undefined)).toThrow(expect.objectContaining({ code: 'disposed' }))
})

test('definePanel does nothing without custom elements', () => {
  expect(definePanel()).toBeUndefined()
})
