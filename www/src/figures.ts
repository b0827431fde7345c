import { h } from './dom.js'
import { count, percentSaved, plural, shortTokens, tokens } from './numbers.js'
import type { View } from './view.js'

/** Shows the main figures of the current view. */
export function createFigures(root: HTMLElement): { show(view: View): void } {
  const before = figure('before', 'Before')
  const after = figure('after', 'After')
  const saved = figure('saved', 'Saved')
  const edits = figure('edits', 'Edits')
  const first = figure('first', 'First change')
  root.replaceChildren(...[before, after, saved, edits, first].map(({ element }) => element))
  return {
    show(view) {
      const { report } = view
      const { tokensBefore, tokensAfter } = report
      before.set(tokens(tokensBefore), `est. tokens, ${plural(view.messages.length, 'message')}`)
      after.set(tokens(tokensAfter), 'est. tokens sent')
      saved.set(
        `${percentSaved(tokensBefore, tokensAfter)}%`,
        `${tokens(tokensBefore - tokensAfter)} est. tokens`,
      )
      edits.set(count(report.edits.length), passesText(view))
      first.set(...firstChange(view))
    },
  }
}

interface Figure {
  element: HTMLElement
  set(value: string, note: string): void
}

function figure(id: string, label: string): Figure {
  const value = h('dd', { class: 'figure-value', attrs: { 'data-figure': id } })
  const note = h('dd', { class: 'figure-note' })
  const element = h(
    'dl',
    { class: `figure figure-${id}` },
    h('dt', { class: 'figure-label' }, label),
    value,
    note,
  )
  return {
    element,
    set(text, noteText) {
      value.textContent = text
      note.textContent = noteText
    },
  }
}

function passesText({ report }: View): string {
  const active = report.passes.filter((pass) => pass.edits > 0)
  if (active.length === 0) {
    return 'blocks replaced: none'
  }
  return active.map((pass) => `${pass.pass} ${count(pass.edits)}`).join(' · ')
}

/**
 * Returns where the view first differs from the history. Everything before it can stay in the provider's
 * prompt cache.
 */
function firstChange(view: View): [string, string] {
  const first = view.report.firstChangedIndex
  if (first === null) {
    return ['none', 'sent as it is']
  }
  const end = view.session.firstBlock[first] ?? 0
  let kept = 0
  for (let i = 0; i < end; i++) {
    kept += view.tokensAfter[i] ?? 0
  }
  return [`#${first}`, `${shortTokens(kept)} est. tokens before it`]
}
