import fc from 'fast-check'
import { FORMATS, type Format } from './write.js'

/** A turn of a random conversation, which `write.ts` writes in each format. */
export interface Turn {
  prompt: boolean
  text: string
  reasoning: boolean
  calls: Call[]
}

export interface Call {
  tool: string
  path: number
  /** The lines that the call reads; the whole file if absent. */
  lines?: { offset: number; limit: number }
  /** Text that the call writes, if any. */
  body?: string
  result: string
  parts: boolean
  /** Number of images in the result beside its text. */
  images: number
  ephemeral: boolean
}

/**
 * True once in `times` cases. Random numbers are biased to the smallest value, so a number would be true in
 * half of them.
 */
const onceIn = (times: number) =>
  fc.oneof({ arbitrary: fc.constant(false), weight: times - 1 }, { arbitrary: fc.constant(true), weight: 1 })

const repeated = fc
  .tuple(fc.nat(3), fc.constantFrom(2, 25, 60))
  .map(([number, lines]) => `line ${number} of a file\n`.repeat(lines))
const anyText = fc.string({ unit: 'binary', maxLength: 300 })
const failure = fc.constant(`Error: ${'no such file '.repeat(30)}`)
const looksLikeStub = fc.constant('[cleared a.ts, 4521 chars; re-run if needed]')
const result = fc.oneof(
  { arbitrary: repeated, weight: 5 },
  { arbitrary: anyText, weight: 1 },
  failure,
  looksLikeStub,
)

/** Mostly reads of one file in few ranges, so that the same lines are read repeatedly. */
const tool = fc.oneof(
  { arbitrary: fc.constantFrom('read_file', 'Read'), weight: 3 },
  { arbitrary: fc.constantFrom('edit_file', 'write_file', 'bash', 'grep', 'ls', 'ls', 'weird'), weight: 4 },
)
const path = fc.oneof({ arbitrary: fc.constant(2), weight: 2 }, { arbitrary: fc.nat(4), weight: 1 })
const lines = fc.constantFrom({ offset: 1, limit: 50 }, { offset: 51, limit: 49 })

const call: fc.Arbitrary<Call> = fc.record(
  {
    tool,
    path,
    lines,
    body: fc.oneof(repeated, anyText),
    result,
    parts: fc.boolean(),
    images: fc.oneof(
      { arbitrary: fc.constant(0), weight: 4 },
      { arbitrary: fc.constantFrom(1, 2), weight: 1 },
    ),
    ephemeral: onceIn(25),
  },
  { requiredKeys: ['tool', 'path', 'result', 'parts', 'images', 'ephemeral'] },
)

const turn: fc.Arbitrary<Turn> = fc.record({
  prompt: onceIn(6),
  text: fc.string({ maxLength: 30 }),
  reasoning: onceIn(5),
  calls: fc.array(call, { maxLength: 3 }),
})

export const conversation = fc.array(turn, { maxLength: 14, size: 'max' })
export const format = fc.constantFrom<Format>(...FORMATS)
