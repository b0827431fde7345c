import { h } from './dom.js'
import { blockLabel, CATEGORIES, placeOf } from './kinds.js'
import { plural, tokens } from './numbers.js'
import type { View } from './view.js'

/** Returns the description of a block: elements for the tooltip, and one line of text. */
export function blockTip(view: View, index: number): { content: Node[]; text: string } {
  const block = view.session.blocks[index]
  if (block === undefined) {
    return { content: [], text: '' }
  }
  const edits = view.edits.get(index) ?? []
  const place = placeOf(block)
  const amount =
    edits.length === 0
      ? `${tokens(block.tokens)} est. tokens`
      : `${tokens(block.tokens)} → ${tokens(view.tokensAfter[index] ?? 0)} est. tokens`
  const why = edits.map((edit) => `${edit.pass}: ${edit.reason}`)
  const kind = [blockLabel(block), block.tool].filter((part) => part !== null).join(' · ')
  const lines = plural(block.lines, 'line')
  const category = CATEGORIES[view.session.categories[index] ?? 0] ?? 'other'
  const content = [
    h(
      'div',
      { class: 'tip-title' },
      h('span', { class: 'swatch', attrs: { 'data-kind': category } }),
      `#${block.message} ${kind}`,
    ),
    ...(place === null ? [] : [h('div', { class: 'tip-place' }, place)]),
    h('div', { class: 'tip-line' }, h('span', {}, lines), h('b', {}, amount)),
    ...why.map((text) => h('div', { class: 'tip-why' }, text)),
  ]
  const text = [`message ${block.message}`, kind, place, amount, ...why]
    .filter((part) => part !== null)
    .join(', ')
  return { content, text }
}
