import type { BlockFacts, EditReport } from '../generated/types.js'
import type { PlannedView } from '../projection/report.js'
import { recentText } from '../reading/conversation.js'

/** The result of a read that a view leaves out. */
export interface CutResult {
  path: string
  /** The lines asked for; `null` where all were, or up to the end. */
  startLine: number | null
  endLine: number | null
  /** The result, as it is in the history. */
  text(): string
  /** What the conversation is about at the time of the view. */
  conversation(): string
}

/** Reads the results behind the edits of views: of each message once. */
export class CutResults {
  readonly #facts = new WeakMap<object, BlockFacts[]>()

  /** What an edit of this view left out; `undefined` where it was no read, or one that failed or was ephemeral. */
  of(view: PlannedView): (edit: EditReport) => CutResult | undefined {
    const messages = view.messages()
    let conversation: string | undefined
    return ({ message: at, block }) => {
      const message = messages[at] as object
      if (!this.#facts.has(message)) this.#read(view, messages)
      const blocks = this.#facts.get(message) ?? []
      const facts = blocks.find((each) => each.block === block)
      if (facts === undefined || facts.path === null || facts.origin !== 'read') return undefined
      if (facts.isError || facts.ephemeral) return undefined
      const { path, startLine, endLine } = facts
      return {
        path,
        startLine,
        endLine,
        // The facts may be of an earlier view, where the message stood elsewhere.
        text: () => view.textOf({ message: at, block }),
        conversation: () => {
          conversation ??= recentText(messages, view.format)
          return conversation
        },
      }
    }
  }

  #read(view: PlannedView, messages: readonly object[]): void {
    for (const message of messages) this.#facts.set(message, [])
    for (const facts of view.blocks()) this.#facts.get(messages[facts.message] as object)?.push(facts)
  }
}
