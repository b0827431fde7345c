/** An answer that is still streaming. */
export interface Draft {
  text: string
  reasoning: string
  calls: { name: string; arguments: string }[]
}

/** An event after the first `after` messages that is not a message. */
export interface Note {
  readonly after: number
  /** `cut`: the answer reached its token limit. `interrupted`: the page was closed while it streamed. */
  readonly kind: 'stopped' | 'cut' | 'interrupted'
}
