import { check, NAMED } from '../base/check.js'
import { panelClass } from './element.js'

/**
 * Defines the element `<trimtab-context>`, which shows what an agent sends: the share of the context window, tokens by
 * kind, the growth of the context, and each block with its replacement. Set `element.context`, or `element.report`
 * after each request.
 *
 * It has a shadow tree and its own style sheet without inline styles, and follows `color-scheme`. Does nothing if the
 * name is already defined, or if there are no custom elements (on a server).
 *
 * @param name Another element name, with a hyphen.
 * @throws {TrimtabError} `invalid_option`.
 */
export function definePanel(name = 'trimtab-context'): void {
  check('name', name, NAMED)
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return
  customElements.define(name, panelClass())
}
