/** The report's `notice` for a `Context` that several conversations share. */
export const SEVERAL_HISTORIES =
  'this Context alternates between several histories: each change loses its decisions for the other one, and with them the prompt cache. Use one Context for each conversation'

/** The report's `notice` for a projection that does not know the earlier requests. */
export const NO_STATE =
  'the policy depends on earlier requests (`retire`, `clearAtLeast`), which are not known here: each projection starts from nothing and may rewrite the prompt cache. Use a Context, or pass `state` of the last projection'
