import { off, rollingContext, smartRetention } from 'trimtab'
import { cheapestPolicy, type SimulatedPolicy, simulate } from 'trimtab/money'
import { describe, expect, test } from 'vitest'
import { longSession } from './long-session.js'

const policies = { off: off(), smart: smartRetention(), rolling: rollingContext() }

describe('onPolicy', () => {
  test('hands out each policy when it is done, before the next is begun', () => {
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

  test('costs least with what was missed; of equals the first', () => {
    const policies = [one('a', 5, null), one('b', 3, null), one('c', 3, null)]
    expect(cheapestPolicy({ policies }).name).toBe('b')
  })

  test('stays within the window where one does', () => {
    const policies = [one('a', 1, 2), one('b', 3, 0), one('c', 4, 0)]
    expect(cheapestPolicy({ policies }).name).toBe('b')
    expect(cheapestPolicy({ policies: policies.slice(0, 1) }).name).toBe('a')
  })

  test('of none is refused', () => {
    expect(() => cheapestPolicy({ policies: [] })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })
})
