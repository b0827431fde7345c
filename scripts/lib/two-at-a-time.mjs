// The order in which the suites of `npm test` run.

/**
 * Two run at a time. Cargo's take turns, since they would wait for the same lock: one of the two workers begins with them, and
 * helps with the others when they are done.
 *
 * @returns what `run` gave for each, in their order
 */
export async function twoAtATime(suites, run) {
  const results = new Map()
  const cargo = suites.filter((suite) => suite.cargo)
  const others = suites.filter((suite) => !suite.cargo)
  const work = async (...queues) => {
    for (const queue of queues)
      for (let suite = queue.shift(); suite; suite = queue.shift()) results.set(suite, await run(suite))
  }
  await Promise.all([work(cargo, others), work(others)])
  return suites.map((suite) => results.get(suite))
}
