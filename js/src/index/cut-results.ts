import type { BlockFacts, EditReport } from '../generated/types.js'
import type { PlannedView } from '../projection/report.js'
import { blocksBehind, textBehind } from '../projection/view-texts.js'
import { recentText } from '../reading/conversation.js'

/** A read's result that a view left out. */
export interface CutResult {
  path: string
  /** First line that was requested, and the last; `null` for all lines, or up to the end. */
  startLine: number | null
  endLine: number | null
  /** Returns the result as it is in the history. */
  text(): string
  /** Returns the recent text of the conversation at the time of the view. */
  conversation(): string
}

/** Reads the results behind a view's edits, once per message. */
export class CutResults {
  readonly #facts = new WeakMap<object, Map<number, BlockFacts>>()

  /**
   * Returns the result that an edit of this view replaced; `undefined` if it is not a read, or one that failed or was
   * ephemeral.
   */
  of(view: PlannedView): (edit: EditReport) => CutResult | undefined {
    const messages = view.messages()
    let conversation: string | undefined
    return ({ message: at, block }) => {
      const message = messages[at] as object
      if (!this.#facts.has(message)) this.#read(view, messages)
      const facts = this.#facts.get(message)?.get(block)
      if (facts === undefined || facts.path === null || facts.origin !== 'read') return undefined
      if (facts.isError || facts.ephemeral) return undefined
      const { path, startLine, endLine } = facts
      return {
        path,
        startLine,
        endLine,
        // The facts may come from an earlier view, in which the message had another position.
        text: () => textBehind(view, { message: at, block }),
        conversation: () => {
          conversation ??= recentText(messages, view.format)
          return conversation
        },
      }
    }
  }

  #read(view: PlannedView, messages: readonly object[]): void {
    for (const message of messages) this.#facts.set(message, new Map())
    for (const facts of blocksBehind(view))
      this.#facts.get(messages[facts.message] as object)?.set(facts.block, facts)
  }
}
