import { check, NAMED } from '../base/check.js'
import { panelClass } from './element.js'

/**
 * Defines the element `<trimtab-context>`, which shows what an agent sends: the share of the window, tokens by kind, how the context
 * grew, and each block with what stands for it. Set `element.context`, or `element.report` after each request.
 *
 * It has a shadow tree, a style sheet of its own without inline styles, and follows `color-scheme`. A second call, and a call where
 * there are no custom elements (on a server), does nothing.
 *
 * @param name Another name, with a hyphen.
 * @throws {TrimtabError} `invalid_option`.
 */
export function definePanel(name = 'trimtab-context'): void {
  check('name', name, NAMED)
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return
  customElements.define(name, panelClass())
}
