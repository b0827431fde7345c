import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../js/dist/money/session.js'
import { Strays } from '../../js/dist/money/strays.js'

const TEXTS = ['a', 'b', 'ab']

/** A message of the session has its position, a message made for a view has a text. */
interface Message {
  own?: number
  text: string
}

const recorded = {
  placeOf: (message: Message) => message.own,
  evidenceIn: ({ text }: Message) => new Set(TEXTS.filter((one) => text.includes(one))),
} as unknown as Recorded

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ own: fc.nat(3), text: fc.constant('ab') }),
  fc.record({ text: fc.constantFrom('', 'a', 'b', 'aab') }),
)
const request = fc.record({ kept: fc.nat(6), added: fc.array(message, { maxLength: 4 }), asks: fc.boolean() })

describe('strays', () => {
  test('answer as a search of all strays of the request does', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
        const strays = new Strays(recorded)
        let list: Message[] = []
        for (const { kept, added, asks } of requests) {
          list = list.slice(0, kept)
          strays.forget(list.length)
          for (const one of added) {
            strays.push(one, list.length)
            list.push(one)
          }
          for (const own of [0, 1, 2, 3])
            expect(strays.isMoved(own)).toBe(list.some((one) => one.own === own))
          if (!asks) continue
          const made = list.filter((one) => one.own === undefined)
          for (const text of TEXTS)
            expect(strays.hold(text)).toBe(made.some((one) => one.text.includes(text)))
        }
      }),
      { numRuns: 500 },
    )
  })
})
