import type { BlockFacts, EditReport } from 'trimtab'
import { blockTexts } from './block-text.js'
import { h } from './dom.js'
import { blockLabel, categoryOf, placeOf } from './kinds.js'
import { plural, tokens } from './numbers.js'
import { countLines, type Preview, type PreviewLimits, preview } from './preview.js'
import type { View } from './view.js'

/** Draws one message of the list: its blocks, an edited block with before and after side by side. */

interface RowOptions {
  /** Number of characters shown of each text that the user expanded, by the text's key. */
  readonly opened: Map<string, number>
  /** Called when a text is expanded or collapsed: the row must be drawn again. */
  onToggle(message: number, key: string): void
}

const LIMITS: Readonly<Record<'same' | 'before' | 'after', PreviewLimits>> = {
  same: { lines: 8, chars: 800 },
  before: { lines: 6, chars: 480 },
  after: { lines: 12, chars: 1200 },
}

/** Characters added per expansion: a browser lays out some 100,000 characters at once without a pause. */
const PORTION = 100_000

export function messageRow(view: View, message: number, options: RowOptions): HTMLElement {
  const { session } = view
  const source = session.messages[message] ?? {}
  const projected = view.messages[message] ?? source
  const first = session.firstBlock[message] ?? 0
  const facts = session.blocks.slice(first, session.firstBlock[message + 1])
  const texts = blockTexts(source, facts, session.format)
  const same = projected === source
  const newTexts = same ? texts : blockTexts(projected, facts, session.format)
  const role = facts[0]?.role ?? String((source as { role?: unknown }).role ?? 'message')
  const blocks = facts.map((block, i) => {
    const edits = view.edits.get(first + i) ?? []
    const text = texts[i] ?? ''
    const key = `${message}.${block.block}`
    return edits.length === 0
      ? keptBlock(block, text, key, message, options)
      : editedBlock(block, edits, { before: text, after: newTexts[i] ?? '' }, key, message, options)
  })
  return h(
    'li',
    {
      class: same ? 'message is-same' : 'message is-changed',
      attrs: { 'data-message': message, 'data-role': role },
    },
    h(
      'div',
      { class: 'message-side' },
      h('span', { class: 'message-index' }, `#${message}`),
      h('span', { class: 'message-role' }, role),
      stepTag(facts, role),
      same
        ? h(
            'span',
            { class: 'message-same', attrs: { title: 'The view holds this very message.' } },
            '= same',
          )
        : null,
    ),
    h('div', { class: 'message-body' }, ...(blocks.length === 0 ? [emptyNote('no content')] : blocks)),
  )
}

function stepTag(facts: readonly BlockFacts[], role: string): HTMLElement | null {
  const steps = facts.map((fact) => fact.step)
  const [first, last] = [Math.min(...steps), Math.max(...steps)]
  if (role !== 'assistant' || steps.length === 0) {
    return null
  }
  return h('span', { class: 'message-step' }, first === last ? `step ${first}` : `steps ${first}–${last}`)
}

function keptBlock(
  block: BlockFacts,
  text: string,
  key: string,
  message: number,
  options: RowOptions,
): HTMLElement {
  return h(
    'section',
    { class: 'block', attrs: { 'data-kind': categoryOf(block) } },
    blockHead(block, h('span', { class: 'block-tokens' }, tokens(block.tokens))),
    ...textElements(text, LIMITS.same, `${key}.same`, message, options),
  )
}

function editedBlock(
  block: BlockFacts,
  edits: readonly EditReport[],
  texts: { before: string; after: string },
  key: string,
  message: number,
  options: RowOptions,
): HTMLElement {
  const last = edits.at(-1)
  const after = last?.text ?? texts.after
  const amounts = h(
    'span',
    { class: 'block-tokens' },
    h('s', {}, tokens(block.tokens)),
    ' → ',
    h('b', {}, tokens(last?.tokensAfter ?? 0)),
  )
  const reasons = edits.map((edit) =>
    h('p', { class: 'why' }, h('span', { class: 'pass' }, edit.pass), ' ', edit.reason),
  )
  return h(
    'section',
    { class: 'block is-edited', attrs: { 'data-kind': categoryOf(block) } },
    blockHead(block, amounts),
    h(
      'div',
      { class: 'pair' },
      h(
        'div',
        { class: 'side side-before' },
        h('h3', { class: 'side-name' }, 'before'),
        ...textElements(texts.before, LIMITS.before, `${key}.before`, message, options),
      ),
      h(
        'div',
        { class: 'side side-after' },
        h('h3', { class: 'side-name' }, 'after'),
        ...textElements(after, LIMITS.after, `${key}.after`, message, options),
        ...reasons,
      ),
    ),
  )
}

function blockHead(block: BlockFacts, amount: HTMLElement): HTMLElement {
  const place = placeOf(block)
  return h(
    'header',
    { class: 'block-head' },
    h('span', { class: 'swatch', attrs: { 'data-kind': categoryOf(block) } }),
    h('span', { class: 'block-label' }, blockLabel(block)),
    block.tool === null ? null : h('code', { class: 'block-tool' }, block.tool),
    place === null ? null : h('code', { class: 'block-place', attrs: { title: place } }, h('bdi', {}, place)),
    block.isError ? h('span', { class: 'badge badge-error' }, 'error') : null,
    block.ephemeral ? h('span', { class: 'badge' }, 'ephemeral') : null,
    amount,
  )
}

function textElements(
  text: string,
  limits: PreviewLimits,
  key: string,
  message: number,
  options: RowOptions,
): HTMLElement[] {
  if (text === '') {
    return [emptyNote('empty')]
  }
  const opened = options.opened.get(key)
  const start = preview(text, limits)
  const shown =
    opened === undefined ? start : preview(text, { lines: Number.POSITIVE_INFINITY, chars: opened })
  const body = h('pre', { class: 'text', attrs: { 'data-cut': shown.cut } }, shown.text)
  if (!start.cut) {
    return [body]
  }
  const toggle = h(
    'button',
    {
      class: 'link',
      attrs: { type: 'button', 'aria-expanded': String(opened !== undefined), 'data-key': key },
    },
    toggleLabel(text, shown, opened),
  )
  toggle.addEventListener('click', () => {
    setOpened(options.opened, key, shown)
    options.onToggle(message, key)
  })
  return [body, toggle]
}

function toggleLabel(text: string, shown: Preview, opened: number | undefined): string {
  if (opened === undefined) {
    const lines = countLines(text)
    const amount = lines > 1 ? plural(lines, 'line') : plural(text.length, 'character')
    return `Show all · ${amount}`
  }
  return shown.cut ? `Show more · ${plural(text.length - shown.text.length, 'character')} left` : 'Show less'
}

/** Expands a text by one portion, or collapses it if all of it is shown. */
function setOpened(opened: Map<string, number>, key: string, shown: Preview): void {
  if (shown.cut) {
    opened.set(key, (opened.get(key) ?? 0) + PORTION)
  } else {
    opened.delete(key)
  }
}

function emptyNote(text: string): HTMLElement {
  return h('p', { class: 'empty' }, text)
}
