import type { Context } from '../projection/context.js'
import type { Report } from '../projection/types.js'

/** The element `<trimtab-context>`: what the last request carried, and how the context grew. See {@link definePanel}. */
export interface ContextPanel extends HTMLElement {
  /** Shows each view that this `Context` makes to be sent, from now on; `null` ends it. */
  context: Context | null
  /**
   * Shows the report of one request, and keeps its sizes in the picture of all. One at hand (`view.report`) shows all blocks with
   * their originals; one that was read from JSON shows what was edited.
   */
  report: Report | null
  /** Tokens of the model's window, also as the attribute `window`; `null` where they are not known. */
  window: number | null
  /** Forgets all requests: another conversation follows. */
  clear(): void
}

declare global {
  interface HTMLElementTagNameMap {
    'trimtab-context': ContextPanel
  }
}
