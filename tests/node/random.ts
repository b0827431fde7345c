import fc from 'fast-check'

/** The same cases in every run, so that failures are reproducible. `TRIMTAB_SEED` selects other cases. */
export const seed = Number(process.env.TRIMTAB_SEED ?? 1)
fc.configureGlobal({ seed })

/** Number of cases per property: `TRIMTAB_CASES`, or 500. */
export const runs = { numRuns: Number(process.env.TRIMTAB_CASES ?? 500) }
