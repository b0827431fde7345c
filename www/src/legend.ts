import { h } from './dom.js'
import { CATEGORIES, CATEGORY_LABELS, type Category } from './kinds.js'
import { shortTokens } from './numbers.js'
import { tokensByCategory, type View } from './view.js'

/** Shows the legend of the colours, with the tokens of each category before and after. */
export function createLegend(root: HTMLElement): { show(view: View): void } {
  const entries = CATEGORIES.map(entry)
  const hatched = h(
    'li',
    { class: 'legend-item legend-hatch' },
    h('span', { class: 'swatch swatch-hatch' }),
    h('span', { class: 'legend-label' }, 'hatched: cleared or replaced'),
  )
  root.replaceChildren(h('ul', { class: 'legend-list' }, ...entries.map((item) => item.element), hatched))
  return {
    show(view) {
      const { before, after } = tokensByCategory(view)
      entries.forEach((item, i) => {
        item.set(before[i] ?? 0, after[i] ?? 0)
      })
    },
  }
}

function entry(category: Category): { element: HTMLElement; set(before: number, after: number): void } {
  const amount = h('span', { class: 'legend-amount' })
  const element = h(
    'li',
    { class: 'legend-item' },
    h('span', { class: 'swatch', attrs: { 'data-kind': category } }),
    h('span', { class: 'legend-label' }, CATEGORY_LABELS[category]),
    amount,
  )
  return {
    element,
    set(before, after) {
      // Hide categories that the session does not contain.
      element.hidden = before === 0 && after === 0
      amount.replaceChildren(...amounts(before, after))
      element.title = `${CATEGORY_LABELS[category]}: ${shortTokens(before)} est. tokens before, ${shortTokens(after)} after`
    },
  }
}

function amounts(before: number, after: number): Node[] {
  if (before === after) {
    return [document.createTextNode(shortTokens(before))]
  }
  return [h('s', {}, shortTokens(before)), document.createTextNode(' '), h('b', {}, shortTokens(after))]
}
