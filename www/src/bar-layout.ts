/**
 * Positions of blocks in a bar, in tokens and in pixels. Contains numbers only: no DOM, no messages.
 *
 * A session has up to some 10,000 blocks and a bar some 1,000 pixels, so a block can be much narrower than a
 * pixel. Such blocks are drawn together: each pixel column shows the look that most of its tokens have.
 */

/** Start of each block in tokens, and the end of the last one: one more entry than blocks. */
export function blockStarts(tokens: ArrayLike<number>, blocks: number): Float64Array {
  const starts = new Float64Array(blocks + 1)
  for (let i = 0; i < blocks; i++) {
    starts[i + 1] = (starts[i] ?? 0) + (tokens[i] ?? 0)
  }
  return starts
}

/** A rectangle of a bar, in whole pixels. */
export interface Segment {
  x: number
  width: number
  /** The value of `look` for its blocks. */
  look: number
  /** The block it shows; -1 if it shows several. */
  block: number
}

/**
 * Divides a bar into rectangles on whole pixels. `look(i)` returns a small number: blocks with the same
 * number are drawn alike.
 */
export function barSegments(
  starts: Float64Array,
  pixelsPerToken: number,
  look: (block: number) => number,
): Segment[] {
  const blocks = starts.length - 1
  const width = Math.round((starts[blocks] ?? 0) * pixelsPerToken)
  const segments: Segment[] = []
  let block = 0
  for (let x = 0; x < width; x++) {
    const end = (x + 1) / pixelsPerToken
    const share = new Map<number, number>()
    let [widest, most] = [-1, 0]
    let at = x / pixelsPerToken
    for (; block < blocks; block++) {
      const until = Math.min(starts[block + 1] ?? 0, end)
      const part = until - at
      if (part > 0) {
        share.set(look(block), (share.get(look(block)) ?? 0) + part)
        if (part > most) {
          widest = block
          most = part
        }
        at = until
      }
      if ((starts[block + 1] ?? 0) > end) {
        break
      }
    }
    // A block that fills more than half of the column owns it.
    const owner = most * pixelsPerToken > 0.5 ? widest : -1
    const shown = owner >= 0 ? look(owner) : largestShare(share)
    extend(segments, { x, width: 1, look: shown, block: owner })
  }
  return segments
}

function largestShare(share: ReadonlyMap<number, number>): number {
  let [best, most] = [0, -1]
  for (const [look, part] of share) {
    if (part > most) {
      best = look
      most = part
    }
  }
  return best
}

function extend(segments: Segment[], column: Segment): void {
  const last = segments.at(-1)
  if (last !== undefined && last.block === column.block && last.look === column.look) {
    last.width += 1
  } else {
    segments.push(column)
  }
}

/** Returns the block at an offset in tokens from the bar's start, or `null` past its end. */
export function blockAt(starts: Float64Array, tokens: number): number | null {
  const blocks = starts.length - 1
  if (blocks < 1 || tokens < 0 || tokens >= (starts[blocks] ?? 0)) {
    return null
  }
  let [low, high] = [0, blocks - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= tokens) {
      low = middle
    } else {
      high = middle - 1
    }
  }
  return low
}

/** Adjacent blocks that are all kept or all edited, with their positions in the bars before and after. */
export interface Run {
  edited: boolean
  beforeStart: number
  beforeEnd: number
  afterStart: number
  afterEnd: number
}

/**
 * Returns the runs of a bar. Adjacent runs of less than `least` tokens in both bars are merged and drawn as
 * the larger part of them: thousands of ribbons thinner than a pixel take long to paint and show nothing.
 */
export function runs(
  before: Float64Array,
  after: Float64Array,
  edited: (block: number) => boolean,
  least: number,
): Run[] {
  const list: Run[] = []
  let small: Run[] = []
  const close = () => {
    if (small.length > 0) {
      list.push(together(small))
      small = []
    }
  }
  for (const run of exactRuns(before, after, edited)) {
    if (widthOf(run) >= least) {
      close()
      list.push(run)
    } else {
      small.push(run)
      if ((small.at(-1)?.beforeEnd ?? 0) - (small[0]?.beforeStart ?? 0) >= least) {
        close()
      }
    }
  }
  close()
  return list
}

function widthOf(run: Run): number {
  return Math.max(run.beforeEnd - run.beforeStart, run.afterEnd - run.afterStart)
}

function together(small: readonly Run[]): Run {
  const [first, last] = [small[0] as Run, small.at(-1) as Run]
  const cut = small.reduce((sum, run) => sum + (run.edited ? run.beforeEnd - run.beforeStart : 0), 0)
  return {
    edited: cut > (last.beforeEnd - first.beforeStart) / 2,
    beforeStart: first.beforeStart,
    beforeEnd: last.beforeEnd,
    afterStart: first.afterStart,
    afterEnd: last.afterEnd,
  }
}

function exactRuns(before: Float64Array, after: Float64Array, edited: (block: number) => boolean): Run[] {
  const list: Run[] = []
  for (let i = 0; i + 1 < before.length; i++) {
    const last = list.at(-1)
    const now = edited(i)
    const [beforeEnd, afterEnd] = [before[i + 1] ?? 0, after[i + 1] ?? 0]
    if (last !== undefined && last.edited === now) {
      last.beforeEnd = beforeEnd
      last.afterEnd = afterEnd
    } else {
      list.push({ edited: now, beforeStart: before[i] ?? 0, beforeEnd, afterStart: after[i] ?? 0, afterEnd })
    }
  }
  return list
}
