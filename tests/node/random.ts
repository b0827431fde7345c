import fc from 'fast-check'

/** The same cases at every run, so that a failure is one for everybody. `TRIMTAB_SEED` looks further. */
fc.configureGlobal({ seed: Number(process.env.TRIMTAB_SEED ?? 1) })

/** How many cases a property is tried on: `TRIMTAB_CASES`, or 500. */
export const runs = { numRuns: Number(process.env.TRIMTAB_CASES ?? 500) }
