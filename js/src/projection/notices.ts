/** What a report says of a `Context` that several conversations share. */
export const SEVERAL_HISTORIES =
  'this Context was given another history since, and now the one before again: what it decided for one is lost with each change, and the prompt cache with it. Give each conversation its own Context'

/** What a report says of a projection that cannot know what was sent. */
export const NO_STATE =
  'the policy decides by what earlier requests sent (`retire`, `clearAtLeast`), and nothing is known of them: each projection begins anew, and may rewrite the prompt cache each time. Use a Context, or pass `state` of the last projection'
