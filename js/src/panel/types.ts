import type { Context } from '../projection/context.js'
import type { Report } from '../projection/types.js'

/**
 * The element `<trimtab-context>`: shows what the last request sent, and how the context grew. See {@link definePanel}.
 */
export interface ContextPanel extends HTMLElement {
  /** Shows each view that this `Context` makes for sending, from now on; `null` stops it. */
  context: Context | null
  /**
   * Shows the report of one request, and adds its sizes to the chart of all requests. A live report (`view.report`)
   * shows all blocks with their originals; one parsed from JSON shows the edits only.
   */
  report: Report | null
  /** Size of the model's context window in tokens, also settable as the attribute `window`; `null` if unknown. */
  window: number | null
  /** Removes all requests, before another conversation. */
  clear(): void
}

declare global {
  interface HTMLElementTagNameMap {
    'trimtab-context': ContextPanel
  }
}
