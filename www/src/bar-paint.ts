import type { Run, Segment } from './bar-layout.js'
import { CATEGORIES } from './kinds.js'

/** Drawing bars on a canvas, in whole device pixels. Knows no sessions and no events. */

export interface Palette {
  /** Colours by index of `CATEGORIES`. */
  kinds: readonly string[]
  surface: string
  ribbon: string
  cut: string
}

/** Colours come from the style sheet, so that light and dark are decided in one place. */
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

/** A block's look: its category, and whether it is edited. */
export function lookOf(category: number, edited: boolean): number {
  return category * 2 + (edited ? 1 : 0)
}

export interface Band {
  top: number
  height: number
}

/** Below this width a gap between blocks would eat the block. */
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

/** Diagonal lines of the kind's colour over a wash of it: what is cleared shows without its colour being told apart. */
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
  // Three strokes, so that the corners of neighbouring tiles join.
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1)
    pen.lineTo(shift + size + 1, -1)
  }
  pen.stroke()
  return context.createPattern(tile, 'repeat')
}

/** The ribbons between the bars: where each run of kept blocks went, and where the edited ones were folded away. */
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
    // One path for all: where narrow ribbons share a pixel, their shades must not add up.
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
