import type { Run, Segment } from './bar-layout.js'
import { CATEGORIES } from './kinds.js'

/** Draws bars on a canvas, in whole device pixels. Independent of sessions and events. */

export interface Palette {
  /** Colours by index of `CATEGORIES`. */
  kinds: readonly string[]
  surface: string
  ribbon: string
  cut: string
}

/** Reads the colours from the style sheet, the one place that decides between light and dark. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    kinds: CATEGORIES.map((category) => read(`--kind-${category}`)),
    surface: read('--surface'),
    ribbon: read('--ribbon'),
    cut: read('--cut'),
  }
}

/** Encodes a block's category, and whether it is edited, as one number. */
export function lookOf(category: number, edited: boolean): number {
  return category * 2 + (edited ? 1 : 0)
}

export interface Band {
  top: number
  height: number
}

/**
 * Minimum width of a block, in pixels, to be drawn with a gap: in a narrower one the gap would hide the
 * block.
 */
const GAP_FROM = 5

export function paintBar(
  context: CanvasRenderingContext2D,
  segments: readonly Segment[],
  band: Band,
  palette: Palette,
  pixelRatio: number,
): void {
  const gap = Math.max(1, Math.round(pixelRatio))
  const hatches = new Map<number, CanvasPattern | null>()
  for (const segment of segments) {
    const category = segment.look >> 1
    const colour = palette.kinds[category] ?? palette.surface
    const width = segment.block >= 0 && segment.width >= GAP_FROM * gap ? segment.width - gap : segment.width
    if ((segment.look & 1) === 0) {
      context.fillStyle = colour
      context.fillRect(segment.x, band.top, width, band.height)
      continue
    }
    if (!hatches.has(category)) {
      hatches.set(category, hatch(context, colour, palette.surface, pixelRatio))
    }
    context.fillStyle = hatches.get(category) ?? colour
    context.fillRect(segment.x, band.top, width, band.height)
  }
}

/**
 * Creates the pattern of an edited block: diagonal lines of the kind's colour on a light tint of it, so that
 * edits show without telling colours apart.
 */
function hatch(
  context: CanvasRenderingContext2D,
  colour: string,
  surface: string,
  pixelRatio: number,
): CanvasPattern | null {
  const size = Math.round(6 * pixelRatio)
  const tile = document.createElement('canvas')
  tile.width = size
  tile.height = size
  const pen = tile.getContext('2d')
  if (pen === null) {
    return null
  }
  pen.fillStyle = surface
  pen.fillRect(0, 0, size, size)
  pen.globalAlpha = 0.2
  pen.fillStyle = colour
  pen.fillRect(0, 0, size, size)
  pen.globalAlpha = 1
  pen.strokeStyle = colour
  pen.lineWidth = 1.5 * pixelRatio
  pen.beginPath()
  // Three strokes make the lines meet at the corners of adjacent tiles.
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1)
    pen.lineTo(shift + size + 1, -1)
  }
  pen.stroke()
  return context.createPattern(tile, 'repeat')
}

/** Draws the ribbons between the bars: they connect each run of blocks to its position in the view. */
export function paintRibbons(
  context: CanvasRenderingContext2D,
  runs: readonly Run[],
  pixelsPerToken: number,
  band: Band,
  palette: Palette,
): void {
  for (const [edited, colour] of [
    [false, palette.ribbon],
    [true, palette.cut],
  ] as const) {
    context.fillStyle = colour
    // One path for all ribbons: their opacities must not add up where narrow ribbons share a pixel.
    context.beginPath()
    for (const run of runs) {
      if (run.edited === edited) {
        ribbon(context, run, pixelsPerToken, band)
      }
    }
    context.fill()
  }
}

function ribbon(context: CanvasRenderingContext2D, run: Run, scale: number, { top, height }: Band): void {
  const [left, right] = [run.beforeStart * scale, run.beforeEnd * scale]
  const [newLeft, newRight] = [run.afterStart * scale, run.afterEnd * scale]
  const [bottom, middle] = [top + height, top + height / 2]
  context.moveTo(left, top)
  context.lineTo(right, top)
  context.bezierCurveTo(right, middle, newRight, middle, newRight, bottom)
  context.lineTo(newLeft, bottom)
  context.bezierCurveTo(newLeft, middle, left, middle, left, top)
}
