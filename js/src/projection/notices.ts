/** The report's `notice` for a `Context` that several conversations share. */
export const SEVERAL_HISTORIES =
  'this Context alternates between several histories: each change loses its decisions for the other one, and with them the prompt cache. Use one Context for each conversation'
