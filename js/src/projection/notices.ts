/** The report's `notice` for a `Context` that several conversations share. */
export const SEVERAL_HISTORIES =
  'this Context alternates between several histories: each change loses its decisions for the other one, and with them the prompt cache. Use one Context for each conversation'

/** The report's `notice` for a `Context` that is given the messages it made. */
export const OWN_VIEW =
  'these messages are the last view of this Context: what it cleared is lost, for `recall` too. Keep your own messages and pass those; only send the view'
