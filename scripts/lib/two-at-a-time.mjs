// Order in which the suites of `npm test` run.

/**
 * Runs suites two at a time. Cargo's run one after another, since they would wait for the same lock: one of the two
 * workers starts with them, and helps with the others afterwards.
 *
 * @returns the results of `run`, in the order of the suites
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
