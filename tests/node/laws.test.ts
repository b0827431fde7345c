import fc from 'fast-check'
import { Context, dedupeToolResults, project, type State, truncateOldToolOutputs } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { conversation, format } from './conversation.js'
import { problems } from './oracle.js'
import { policy, policyInPlace, policyOfStubs } from './policies.js'
import { runs } from './random.js'
import { write } from './write.js'

/** Freezes a value and everything in it, so that a write anywhere throws. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const IMAGE_TYPES = new Set(['image', 'image_url', 'input_image'])

describe('laws, through the built package', () => {
  test('law 1: every valid prefix of a history has a valid view', () => {
    fc.assert(
      fc.property(conversation, format, policy, (turns, format, policy) => {
        const messages = write(turns, format, true)
        expect(problems(messages, format)).toEqual([])
        for (let length = 1; length <= messages.length; length += 3) {
          const cut = messages.slice(0, length)
          if (problems(cut, format).length > 0) continue
          expect(problems(project(cut, policy, { format }).messages, format)).toEqual([])
        }
      }),
      runs,
    )
  })

  test('law 4: project does not change a frozen history', () => {
    fc.assert(
      fc.property(conversation, format, policy, (turns, format, policy) => {
        const messages = write(turns, format)
        const before = clone(messages)
        project(deepFreeze(messages), policy)
        expect(messages).toEqual(before)
      }),
      runs,
    )
  })

  test('unedited messages are the same objects, and edited ones are made once', () => {
    fc.assert(
      fc.property(conversation, format, policyInPlace, (turns, format, policy) => {
        const messages = write(turns, format)
        const { messages: view, report } = project(messages, policy)
        const edited = new Set(report.edits.map((edit) => edit.message))
        view.forEach((message, i) => {
          expect(message === messages[i]).toBe(
            !edited.has(i) || JSON.stringify(message) === JSON.stringify(messages[i]),
          )
        })
        const again = project(messages, policy).messages
        again.forEach((message, i) => {
          expect(message).toBe(view[i])
        })
      }),
      runs,
    )
  })

  test('law 8: projecting a view changes nothing', () => {
    fc.assert(
      fc.property(conversation, format, policyOfStubs, (turns, format, policy) => {
        const view = project(write(turns, format), policy).messages
        expect(project(view, policy).messages).toEqual(view)
      }),
      runs,
    )
  })

  test('law 9: a growing Context and the stateless function make the same decisions', () => {
    fc.assert(
      fc.property(conversation, format, policy, (turns, format, policy) => {
        const messages = write(turns, format)
        using context = new Context(policy, { format })
        let state: State | undefined
        for (let length = 1; length <= messages.length; length++) {
          const cut = messages.slice(0, length)
          const grown = context.project(cut)
          const fresh = project(clone(cut), policy, { format, ...(state === undefined ? {} : { state }) })
          state = JSON.parse(JSON.stringify(fresh.state)) as State
          // A call without a Context does not know the requests before it.
          const { sent: _, ...decided } = grown.state
          const { sent: __, ...again } = state
          expect(decided).toEqual(again)
          expect(grown.messages).toEqual(fresh.messages)
          expect(grown.report.tokensAfter).toBe(fresh.report.tokensAfter)
        }
      }),
      { numRuns: Math.ceil(runs.numRuns / 5) },
    )
  })

  test('law 11: no view has more tokens than its history, and the report adds up', () => {
    fc.assert(
      fc.property(conversation, format, policy, (turns, format, policy) => {
        const { report } = project(write(turns, format), policy)
        const saved = report.passes.reduce((sum, pass) => sum + pass.tokensSaved, 0)
        expect(report.tokensBefore - saved).toBe(report.tokensAfter)
        for (const edit of report.edits) expect(edit.tokensAfter).toBeLessThanOrEqual(edit.tokensBefore)
        expect(report.edits.length).toBe(report.passes.reduce((sum, pass) => sum + pass.edits, 0))
        expect(report.firstChangedIndex).toBe(report.edits[0]?.message ?? null)
      }),
      runs,
    )
  })

  test('law 15: no message gains a field', () => {
    const fields = (value: unknown): string[] => {
      if (typeof value !== 'object' || value === null) return []
      // The content of a tool's response is its own: a stub need not have its fields.
      if ('functionResponse' in value) return ['functionResponse']
      // A stub is a text part, also in place of a first part that was an image.
      const { type } = value as { type?: unknown }
      if (typeof type === 'string' && IMAGE_TYPES.has(type)) return ['type', 'text']
      return Object.entries(value).flatMap(([key, inner]) => [
        key,
        ...fields(inner).map((name) => `${key}.${name}`),
      ])
    }
    fc.assert(
      fc.property(conversation, format, (turns, format) => {
        const messages = write(turns, format)
        const views = [
          truncateOldToolOutputs(messages, undefined, { maxToolOutputAge: 0 }),
          dedupeToolResults(messages),
        ]
        for (const view of views) {
          view.forEach((message, i) => {
            expect(fields(messages[i])).toEqual(expect.arrayContaining(fields(message)))
          })
        }
      }),
      runs,
    )
  })
})
