import fc from 'fast-check'
import { Context, type Policy, smartRetention } from 'trimtab'
import { describe, expect, test } from 'vitest'

interface Message {
  role: string
  content: unknown
  metadata?: object
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const load = (context: Context) => Context.fromJSON(copy(context.toJSON()))

/** A call with signed thinking, and its result. */
function step(k: number, isEphemeral: boolean): Message[] {
  const thinking = { type: 'thinking', thinking: `thought ${k}`, signature: `s${k}` }
  const call = { type: 'tool_use', id: `t${k}`, name: 'fetch', input: {} }
  const text = isEphemeral ? 'secret '.repeat(k + 1) : `line ${k}`
  const result = { type: 'tool_result', tool_use_id: `t${k}`, content: text }
  const mark = isEphemeral ? { metadata: { ephemeral: true } } : {}
  return [
    { role: 'assistant', content: [thinking, call] },
    { role: 'user', content: [result], ...mark },
  ]
}

const signatures = (messages: readonly object[]) =>
  [...JSON.stringify(messages).matchAll(/"signature":"(\w+)"/g)].map((match) => match[1])

describe('a loaded Context', () => {
  test('shows what the saved one shows, after turns with ephemeral results', () => {
    const turns = fc.array(fc.array(fc.boolean(), { maxLength: 4 }), { minLength: 1, maxLength: 4 })
    const policies = fc.constantFrom<Policy | undefined>(undefined, { ephemeral: true }, smartRetention())
    const models = fc.constantFrom(undefined, 'claude-opus-5-5', 'claude-sonnet-4-5')
    fc.assert(
      fc.property(turns, policies, models, (turns, policy, model) => {
        const live = new Context(policy, { model })
        let history: Message[] = []
        let k = 0
        const check = () => {
          const view = live.project(history)
          const loaded = load(live).project(copy(history))
          expect(copy(loaded.messages)).toEqual(copy(view.messages))
          expect(loaded.report.edits).toEqual(view.report.edits)
        }
        for (const turn of turns) {
          history = [...history, { role: 'user', content: 'go' }]
          check()
          for (const isEphemeral of turn) {
            history = [...history, ...step(k++, isEphemeral)]
            check()
          }
          history = live.endTurn([...history, { role: 'assistant', content: 'done' }])
        }
      }),
      { numRuns: 60 },
    )
  })

  test('sends no thinking that the saved one leaves out after a change in place', () => {
    const history = [{ role: 'user', content: 'go' }, ...[0, 1, 2, 3].flatMap((k) => step(k, false))]
    const live = new Context({}, { model: 'claude-opus-5-5' })
    for (let length = 1; length <= history.length; length += 2) live.project(history.slice(0, length))
    const [result] = (history[2] as Message).content as [{ content: string }]
    result.content = 'redacted'
    const loaded = load(live).project(copy(history))
    expect(signatures(live.project(history).messages)).toEqual(['s0'])
    expect(['', 's0']).toContain(signatures(loaded.messages).join())
  })

  test('shows clipped output whole if the policy now keeps more than there is', () => {
    const log = Array.from({ length: 150 }, (_, i) => `line ${i}`).join('\n')
    const calls = [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }]
    const history = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: log },
    ]
    const made = new Context(smartRetention({ bashTruncate: 500 }))
    made.project(history)
    const under = (policy: Policy) => {
      const { state } = made.toJSON()
      const { messages, report } = new Context(policy, { state }).project(history)
      const { tokensBefore } = new Context(policy).project(messages).report
      return { text: (messages[2] as Message).content as string, report, tokensBefore }
    }
    const whole = under(smartRetention({ bashTruncate: 10_000 }))
    expect(whole.text).toBe(log)
    expect(whole.report.tokensAfter).toBe(whole.report.tokensBefore)
    const longer = under(smartRetention({ bashTruncate: 900 }))
    expect(longer.text.length).toBeLessThan(log.length)
    expect(longer.report.tokensAfter).toBe(longer.tokensBefore)
  })
})
