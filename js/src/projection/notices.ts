/** What a report says of a `Context` that several conversations share. */
export const SEVERAL_HISTORIES =
  'this Context alternates between several histories: each change loses its decisions for the other one, and with them the prompt cache. Use one Context for each conversation'

/** What a report says of a projection that cannot know what was sent. */
export const NO_STATE =
  'the policy depends on earlier requests (`retire`, `clearAtLeast`), which are not known here: each projection starts from nothing and may rewrite the prompt cache. Use a Context, or pass `state` of the last projection'
