import { Context, type Projection, rollingContext } from 'trimtab'
import { definePanel } from 'trimtab/panel'
import { expect, test } from 'vitest'

const history = [{ role: 'user', content: 'hello' }]

test('a listener gets each view that is made to be sent, the last one at once, none after its end', () => {
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

test('of a Context that was disposed there is nothing to hear', () => {
  const context = new Context()
  context[Symbol.dispose]()
  expect(() => context.onView(() => undefined)).toThrow(expect.objectContaining({ code: 'disposed' }))
})

test('where there are no custom elements definePanel does nothing', () => {
  expect(definePanel()).toBeUndefined()
})
