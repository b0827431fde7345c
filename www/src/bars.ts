import { createBarHandle, type Side } from './bar-handle.js'
import { barSegments, blockAt, blockStarts, runs } from './bar-layout.js'
import { type Band, lookOf, type Palette, paintBar, paintRibbons, readPalette } from './bar-paint.js'
import { blockTip } from './block-tip.js'
import { h, oncePerFrame } from './dom.js'
import { percentSaved, plural, shortTokens, tokens } from './numbers.js'
import type { Tooltip } from './tooltip.js'
import type { View } from './view.js'

/** Heights in CSS pixels: bar, ribbons, bar. */
const BAR = 34
const RIBBONS = 24
const HEIGHT = 2 * BAR + RIBBONS

const BANDS: Readonly<Record<Side, Band>> = {
  before: { top: 0, height: BAR },
  after: { top: BAR + RIBBONS, height: BAR },
}

interface Bars {
  show(view: View): void
  /** Marks the messages that are visible in the list below. */
  showVisible(firstMessage: number, lastMessage: number): void
  repaint(): void
}

interface Layout {
  view: View
  before: Float64Array
  after: Float64Array
  /** Tokens that correspond to the whole width. */
  full: number
}

/** Draws the context as two bars of blocks, before and after, on one scale. */
export function createBars(root: HTMLElement, tooltip: Tooltip, onPick: (block: number) => void): Bars {
  const canvas = h('canvas', { attrs: { 'aria-hidden': 'true' } })
  const saved = h('div', { class: 'bar-saved', attrs: { 'aria-hidden': 'true' } })
  const cursor = h('div', { class: 'bar-cursor', attrs: { hidden: true } })
  const visible = h('div', { class: 'bar-visible', attrs: { hidden: true } })
  const labels = { before: barLabel('Before'), after: barLabel('After') }
  let layout: Layout | null = null
  let palette = readPalette()

  const point = (side: Side, block: number | null) => {
    cursor.hidden = block === null || layout === null
    if (block !== null && layout !== null) {
      placeCursor(cursor, layout, side, block)
    }
  }
  const handle = (side: Side) =>
    createBarHandle(side, {
      blockAt: (share) => (layout === null ? null : blockAt(layout[side], share * layout.full)),
      describe: (block) => (layout === null ? '' : blockTip(layout.view, block).text),
      onPoint: (block, at) => {
        point(side, block)
        if (block === null || at === null || layout === null) {
          tooltip.hide()
        } else {
          tooltip.show(blockTip(layout.view, block).content, at.x, at.y)
        }
      },
      onPick,
    })
  const handles = { before: handle('before'), after: handle('after') }
  const stage = h(
    'div',
    { class: 'bar-stage' },
    canvas,
    saved,
    visible,
    cursor,
    handles.before.element,
    handles.after.element,
  )
  stage.style.height = `${HEIGHT}px`
  root.replaceChildren(labels.before.element, stage, labels.after.element)

  const paint = oncePerFrame(() => {
    if (layout !== null) {
      paintLayout(canvas, layout, palette, stage.clientWidth)
    }
  })
  new ResizeObserver(paint).observe(stage)
  return {
    show(view) {
      layout = createLayout(view)
      const { tokensBefore, tokensAfter } = view.report
      labels.before.set(tokensBefore)
      labels.after.set(tokensAfter)
      handles.before.setBlocks(view.blocks, `Context before: ${plural(view.blocks, 'block')}`)
      handles.after.setBlocks(view.blocks, `Context after: ${plural(view.blocks, 'block')}`)
      placeSaved(saved, layout, tokensBefore, tokensAfter)
      cursor.hidden = true
      paint()
    },
    showVisible(firstMessage, lastMessage) {
      if (layout !== null) {
        placeVisible(visible, layout, firstMessage, lastMessage)
      }
    },
    repaint() {
      palette = readPalette()
      paint()
    },
  }
}

function createLayout(view: View): Layout {
  const blocks = view.session.blocks
  const before = blockStarts(
    Float64Array.from({ length: view.blocks }, (_, i) => blocks[i]?.tokens ?? 0),
    view.blocks,
  )
  const after = blockStarts(view.tokensAfter, view.blocks)
  return {
    view,
    before,
    after,
    full: Math.max(1, before[view.blocks] ?? 0, after[view.blocks] ?? 0),
  }
}

function paintLayout(canvas: HTMLCanvasElement, layout: Layout, palette: Palette, width: number): void {
  const ratio = devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(HEIGHT * ratio)
  const context = canvas.getContext('2d')
  if (context === null) {
    return
  }
  const pixelsPerToken = canvas.width / layout.full
  const { categories } = layout.view.session
  const ribbons = devicePixels({ top: BAR, height: RIBBONS }, ratio)
  const isEdited = (block: number) => layout.view.edits.has(block)
  const look = (block: number) => lookOf(categories[block] ?? 0, isEdited(block))
  // Ribbons narrower than two pixels are merged.
  const drawn = runs(layout.before, layout.after, isEdited, 2 / pixelsPerToken)
  paintRibbons(context, drawn, pixelsPerToken, ribbons, palette)
  for (const side of ['before', 'after'] as const) {
    const segments = barSegments(layout[side], pixelsPerToken, look)
    paintBar(context, segments, devicePixels(BANDS[side], ratio), palette, ratio)
  }
}

function devicePixels({ top, height }: Band, ratio: number): Band {
  const start = Math.round(top * ratio)
  return { top: start, height: Math.round((top + height) * ratio) - start }
}

function barLabel(name: string): { element: HTMLElement; set(amount: number): void } {
  const value = h('span', { class: 'bar-amount' })
  const element = h('div', { class: `bar-label bar-label-${name.toLowerCase()}` }, h('span', {}, name), value)
  return {
    element,
    set(amount) {
      value.textContent = shortTokens(amount)
      value.title = `${tokens(amount)} est. tokens`
    },
  }
}

function placeSaved(element: HTMLElement, layout: Layout, before: number, after: number): void {
  const share = after / layout.full
  element.hidden = before - after < layout.full * 0.004
  element.style.left = `${share * 100}%`
  element.style.top = `${BANDS.after.top}px`
  element.style.height = `${BANDS.after.height}px`
  // The style sheet hides the parts that do not fit.
  element.replaceChildren(
    h('span', { class: 'saved-amount' }, `${shortTokens(before - after)} saved · `),
    h('span', { class: 'saved-share' }, `${percentSaved(before, after)}%`),
  )
}

function placeCursor(element: HTMLElement, layout: Layout, side: Side, block: number): void {
  const start = layout[side][block] ?? 0
  const end = layout[side][block + 1] ?? start
  element.style.left = `${(start / layout.full) * 100}%`
  element.style.width = `${((end - start) / layout.full) * 100}%`
  element.style.top = `${BANDS[side].top}px`
  element.style.height = `${BANDS[side].height}px`
}

function placeVisible(element: HTMLElement, layout: Layout, firstMessage: number, lastMessage: number): void {
  const { firstBlock } = layout.view.session
  const last = layout.view.blocks
  const start = layout.before[Math.min(last, firstBlock[firstMessage] ?? 0)] ?? 0
  const end = layout.before[Math.min(last, firstBlock[lastMessage + 1] ?? last)] ?? start
  element.hidden = end <= start
  element.style.left = `${(start / layout.full) * 100}%`
  element.style.width = `${((end - start) / layout.full) * 100}%`
}
