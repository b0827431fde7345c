/** An answer that is still streaming. */
export interface Draft {
  text: string
  reasoning: string
  calls: { name: string; arguments: string }[]
}

/** An event after the first `after` messages that is not a message. */
export interface Note {
  readonly after: number
  /** `cut`: at the answer's token limit. `interrupted`: the page was closed. `broken-off`: the request failed. */
  readonly kind: 'stopped' | 'cut' | 'interrupted' | 'broken-off'
}
