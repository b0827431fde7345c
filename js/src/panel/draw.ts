import { KINDS, type PanelBlock, type PanelContents } from './contents.js'
import { h, s, short } from './dom.js'

export interface Shown {
  /** `null` before the first request. */
  readonly contents: PanelContents | null
  /** All requests, in order. */
  readonly requests: readonly { readonly full: number; readonly sent: number }[]
  readonly window: number | null
}

export interface Drawing {
  show(shown: Shown): void
}

/** Number of blocks listed until the user asks for all. */
const FIRST = 12
/** Maximum UTF-16 units shown of a text. */
const LONGEST = 20_000
const [WIDTH, HEIGHT] = [300, 56]

/** Draws a panel below a root. Open blocks and the focus survive a redraw. */
export function draw(root: ShadowRoot): Drawing {
  const body = h('section', { class: 'panel', 'aria-label': 'Context' })
  root.append(body)
  const open = new Set<string>()
  let isAll = false
  let last: Shown | undefined
  const show = (shown: Shown): void => {
    last = shown
    const focused = (root.activeElement as HTMLElement | null)?.getAttribute('data-focus') ?? undefined
    body.replaceChildren(...partsOf(shown))
    if (focused !== undefined) body.querySelector<HTMLElement>(`[data-focus="${focused}"]`)?.focus()
  }

  function partsOf({ contents, requests, window }: Shown): Node[] {
    if (contents === null)
      return [
        h('p', { class: 'quiet' }, 'Nothing was sent yet. What the first request carries appears here.'),
      ]
    return [
      sumOf(contents, window),
      ...barsOf(contents, window),
      ...(contents.kinds === null ? [] : [legendOf(contents.kinds)]),
      ...(requests.length < 2 ? [] : [growthOf(requests)]),
      blocksOf(contents.blocks),
    ]
  }

  function blocksOf(blocks: readonly PanelBlock[]): Node {
    const listed = isAll ? blocks : blocks.slice(0, FIRST)
    const list = h('ul', { class: 'blocks' }, ...listed.map((block) => h('li', {}, foldOf(block))))
    if (blocks.length <= FIRST) return list
    const words = isAll ? 'Show the largest' : `Show all ${blocks.length}`
    const button = h('button', { type: 'button', 'data-focus': 'all' }, words)
    button.addEventListener('click', () => {
      isAll = !isAll
      if (last !== undefined) show(last)
    })
    return h('div', {}, list, button)
  }

  function foldOf(block: PanelBlock): Node {
    const { key, kind, name, full, sent, edit } = block
    const size =
      edit === null
        ? h('span', { class: 'size' }, short(full))
        : h('span', { class: 'size' }, h('s', {}, short(full)), ' ', h('b', {}, short(sent)))
    const summary = h(
      'summary',
      { 'data-focus': key },
      h('span', { class: 'swatch', 'data-kind': kind, 'aria-hidden': 'true' }),
      h('span', { class: 'name' }, h('bdi', {}, name)),
      size,
    )
    const fold = h('details', { 'data-edited': String(edit !== null) }, summary)
    const fill = () => {
      if (fold.childElementCount === 1) fold.append(...textsOf(block))
    }
    if (open.has(key)) {
      fold.setAttribute('open', '')
      fill()
    }
    fold.addEventListener('toggle', () => {
      if (fold.hasAttribute('open')) open.add(key)
      else open.delete(key)
      fill()
    })
    return fold
  }

  return { show }
}

/** The text in the view, the reason for the edit, and the original. */
function textsOf({ edit, original }: PanelBlock): Node[] {
  const text = original?.()
  const cut = text !== undefined && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  return [
    ...(edit === null
      ? []
      : [
          h('p', { class: 'quiet' }, `The model sees (${edit.pass}: ${edit.reason})`),
          h('pre', { class: 'stub', tabindex: 0 }, edit.text ?? '(nothing: it was taken out)'),
        ]),
    ...(cut === undefined ? [] : [h('pre', { tabindex: 0 }, cut)]),
  ]
}

function sumOf({ sent, cached }: PanelContents, window: number | null): Node {
  const of = window === null ? ' tokens sent' : ` of ${short(window)} tokens sent`
  const rest = cached === null ? '' : ` · ${short(cached)} cached`
  return h('p', { class: 'sum' }, h('b', {}, short(sent)), of, h('span', { class: 'quiet' }, rest))
}

/** Bars of the whole history and of the part sent, on one scale with the window. */
function barsOf({ full, sent, kinds }: PanelContents, window: number | null): Node[] {
  const scale = Math.max(full, Math.min(window ?? 0, 2 * full), 1)
  const parts = (amount: 'full' | 'sent', sum: number) =>
    kinds?.map((one) => ({ kind: one.kind as string, tokens: one[amount] })) ?? [{ kind: 'all', tokens: sum }]
  return [barOf('Full', full, parts('full', full), scale), barOf('Sent', sent, parts('sent', sent), scale)]
}

function barOf(name: string, sum: number, parts: { kind: string; tokens: number }[], scale: number): Node {
  let at = 0
  const rects = parts.map(({ kind, tokens }) => {
    const width = (tokens / scale) * 1000
    at += width
    return s('rect', { 'data-kind': kind, x: (at - width).toFixed(1), width: width.toFixed(1), height: 14 })
  })
  const label = `${name}: ${short(sum)} tokens`
  const box = { viewBox: '0 0 1000 14', preserveAspectRatio: 'none', role: 'img', 'aria-label': label }
  const ground = s('rect', { class: 'ground', width: 1000, height: 14 })
  return h(
    'div',
    { class: 'bar' },
    h('span', { 'aria-hidden': 'true' }, name),
    s('svg', box, ground, ...rects),
    h('span', { 'aria-hidden': 'true' }, short(sum)),
  )
}

function legendOf(kinds: NonNullable<PanelContents['kinds']>): Node {
  const rows = [...kinds].sort((one, other) => other.full - one.full)
  return h(
    'ul',
    { class: 'legend' },
    ...rows.map(({ kind, full, sent }) =>
      h(
        'li',
        {},
        h('span', { class: 'swatch', 'data-kind': kind, 'aria-hidden': 'true' }),
        h('span', { class: 'name' }, KINDS[kind]),
        h('span', { class: 'size' }, full === sent ? short(full) : `${short(full)} → ${short(sent)}`),
      ),
    ),
  )
}

/** Chart of the tokens of each request: the whole history, and the part sent. */
function growthOf(requests: Shown['requests']): Node {
  const top = Math.max(...requests.map(({ full }) => full), 1)
  const line = (size: (request: Shown['requests'][number]) => number) =>
    requests
      .map((request, at) => {
        const x = (at / (requests.length - 1)) * WIDTH
        const y = HEIGHT - (size(request) / top) * (HEIGHT - 4)
        return `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
      })
      .join('')
  const { full = 0, sent = 0 } = requests.at(-1) ?? {}
  const label = `Over ${requests.length} requests: ${short(full)} tokens in full, ${short(sent)} sent`
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none' }
  return h(
    'figure',
    {},
    s(
      'svg',
      { ...box, class: 'growth', role: 'img', 'aria-label': label },
      s('path', { class: 'line-full', d: line((one) => one.full) }),
      s('path', { class: 'line-sent', d: line((one) => one.sent) }),
    ),
    h('figcaption', { class: 'quiet' }, `full and sent, request 1 to ${requests.length}`),
  )
}
