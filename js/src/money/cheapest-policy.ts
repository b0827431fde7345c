import { readable, refuse } from '../base/check.js'
import type { SimulatedPolicy, Simulation } from './types.js'

/**
 * Returns the best policy of a simulation: the one with the lowest cost including refetches, among those that
 * stay within the window, or among all if none does.
 *
 * @throws {TrimtabError} `invalid_option` for a simulation without policies.
 */
export function cheapestPolicy(simulation: Pick<Simulation, 'policies'>): SimulatedPolicy {
  return readable('simulation', () => {
    const { policies } = simulation
    const fits = policies.filter(({ overWindow }) => (overWindow ?? 0) === 0)
    const [first, ...others] = fits.length > 0 ? fits : policies
    if (first === undefined) return refuse('simulation', 'a simulation of one or more policies', policies)
    return others.reduce((best, one) => (one.refetched.cost < best.refetched.cost ? one : best), first)
  })
}
