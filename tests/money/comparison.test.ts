import { off, rollingContext, smartRetention } from 'trimtab'
import { cheapestPolicy, type LostEvidence, type SimulatedPolicy, simulate } from 'trimtab/money'
import { describe, expect, test } from 'vitest'
import { longSession } from './long-session.js'

const policies = { off: off(), smart: smartRetention(), rolling: rollingContext() }

describe('onPolicy', () => {
  test('receives each policy before the next one is simulated', () => {
    const said: (string | number)[] = []
    const told: SimulatedPolicy[] = []
    const whole = simulate(longSession(200), policies, {
      onPolicy: (policy) => {
        said.push(policy.name)
        told.push(policy)
      },
      onProgress: (done) => said.push(done),
    })
    expect(told).toEqual(whole.policies)
    const names = said.flatMap((one, at) => (typeof one === 'string' ? [at] : []))
    expect(names).toHaveLength(3)
    const between = said.slice(names[0], names[1]).filter((one) => typeof one === 'number')
    expect(between.length).toBeGreaterThan(0)
    expect(Math.max(...between)).toBeLessThan(1)
  })

  test('must be a function', () => {
    expect(() => simulate(longSession(2), policies, { onPolicy: 'x' as never })).toThrow(
      expect.objectContaining({ code: 'invalid_option', argument: 'onPolicy' }),
    )
  })
})

describe('cheapestPolicy', () => {
  const one = (name: string, cost: number, overWindow: number | null): SimulatedPolicy => {
    const [made] = simulate(longSession(3), { [name]: off() }).policies
    if (made === undefined) throw new Error('no policy')
    return { ...made, overWindow, refetched: { ...made.refetched, cost } }
  }

  test('returns the first policy with the lowest cost, including evidence that is fetched again', () => {
    const policies = [one('a', 5, null), one('b', 3, null), one('c', 3, null)]
    expect(cheapestPolicy({ policies }).name).toBe('b')
  })

  test('prefers a policy that stays within the window', () => {
    const policies = [one('a', 1, 2), one('b', 3, 0), one('c', 4, 0)]
    expect(cheapestPolicy({ policies }).name).toBe('b')
    expect(cheapestPolicy({ policies: policies.slice(0, 1) }).name).toBe('a')
  })

  test('refuses an empty list of policies', () => {
    expect(() => cheapestPolicy({ policies: [] })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })
})

describe('onLost', () => {
  const call = (id: string, name: string, args: object) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  })
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
  const text = 'const answer = 41\n'.repeat(40)
  const session = [
    { role: 'user', content: 'mend it' },
    call('a', 'read_file', { path: 'a.ts' }),
    result('a', text),
    call('b', 'bash', { command: 'make' }),
    result('b', 'ok\n'.repeat(200)),
    call('c', 'edit_file', {
      path: 'a.ts',
      old_string: 'const answer = 41',
      new_string: 'const answer = 42',
    }),
    result('c', 'done'),
  ]

  test('reports each needed text that is missing from the view, and where it was needed', () => {
    const lost: LostEvidence[] = []
    const policies = {
      all: off(),
      none: (messages: readonly object[]) => messages.filter((_, at) => at !== 2),
    }
    const { policies: rows } = simulate(session, policies, { onLost: (one) => lost.push(one) })
    const place = { policy: 'none', request: 2, message: 5, heldBy: 2 }
    expect(lost).toEqual([
      { ...place, kind: 'edits', text: 'const answer = 41' },
      { ...place, kind: 'files', text },
    ])
    const { edits, files } = rows[1]?.evidence ?? {}
    expect([edits, files]).toEqual([
      { kept: 0, of: 1 },
      { kept: 0, of: 1 },
    ])
  })
})
