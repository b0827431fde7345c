import { describe, expect, test } from 'vitest'
import { barSegments, blockAt, blockStarts, runs } from '../../www/src/bar-layout.js'

const starts = (...tokens: number[]) => blockStarts(tokens, tokens.length)

describe('barSegments', () => {
  test('gives each wide block its own rectangle, on whole pixels', () => {
    const segments = barSegments(starts(10, 30, 20), 2, (block) => block)
    expect(segments).toEqual([
      { x: 0, width: 20, look: 0, block: 0 },
      { x: 20, width: 60, look: 1, block: 1 },
      { x: 80, width: 40, look: 2, block: 2 },
    ])
  })

  test('does not merge adjacent blocks that look alike', () => {
    expect(barSegments(starts(5, 5), 1, () => 7).map(({ block }) => block)).toEqual([0, 1])
  })

  test('merges blocks narrower than a pixel, with the look of most of their tokens', () => {
    const tokens = Array.from({ length: 1000 }, () => 1)
    const segments = barSegments(starts(...tokens), 0.01, (block) => (block % 10 < 7 ? 3 : 4))
    expect(segments).toEqual([{ x: 0, width: 10, look: 3, block: -1 }])
  })

  test('fills the bar without gaps for 10,000 blocks', () => {
    const tokens = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 400)
    const all = starts(...tokens)
    const scale = 1333 / (all.at(-1) ?? 1)
    const segments = barSegments(all, scale, (block) => block % 11)
    let end = 0
    for (const segment of segments) {
      expect(segment.x).toBe(end)
      end += segment.width
    }
    expect(end).toBe(1333)
  })

  test('returns no rectangles for empty blocks and empty bars', () => {
    expect(barSegments(starts(), 1, () => 0)).toEqual([])
    expect(barSegments(starts(0, 0), 1, () => 0)).toEqual([])
    expect(barSegments(starts(0, 4, 0), 1, (block) => block)).toEqual([{ x: 0, width: 4, look: 1, block: 1 }])
  })
})

describe('blockAt', () => {
  test('returns the block at a token position, and null outside of the bar', () => {
    const bar = starts(10, 0, 30)
    expect([-1, 0, 9.9, 10, 39.9, 40].map((tokens) => blockAt(bar, tokens))).toEqual([null, 0, 0, 2, 2, null])
    expect(blockAt(starts(), 0)).toBeNull()
  })
})

describe('runs', () => {
  test('joins adjacent blocks that are all edited or all unedited, in both bars', () => {
    const before = starts(10, 20, 30, 40)
    const after = starts(10, 2, 3, 40)
    expect(runs(before, after, (block) => block === 1 || block === 2, 1)).toEqual([
      { edited: false, beforeStart: 0, beforeEnd: 10, afterStart: 0, afterEnd: 10 },
      { edited: true, beforeStart: 10, beforeEnd: 60, afterStart: 10, afterEnd: 15 },
      { edited: false, beforeStart: 60, beforeEnd: 100, afterStart: 15, afterEnd: 55 },
    ])
  })

  test('merges runs too narrow to see, with the state of most of them', () => {
    const tokens = Array.from({ length: 1000 }, () => 1)
    const edited = (block: number) => block % 3 !== 0
    const after = tokens.map((size, block) => (edited(block) ? 0 : size))
    const drawn = runs(starts(...tokens), starts(...after), edited, 100)
    expect(drawn.length).toBeLessThan(12)
    expect(drawn.every((run) => run.edited)).toBe(true)
    expect([drawn[0]?.beforeStart, drawn.at(-1)?.beforeEnd, drawn.at(-1)?.afterEnd]).toEqual([0, 1000, 334])
    drawn.slice(1).forEach((run, i) => {
      expect(run.beforeStart).toBe(drawn[i]?.beforeEnd)
    })
  })
})
