import fc from 'fast-check'
import { FORMATS, type Format } from './write.js'

/** A conversation at random; `write.ts` writes it down in each format. */
export interface Turn {
  prompt: boolean
  text: string
  reasoning: boolean
  calls: Call[]
}

export interface Call {
  tool: string
  path: number
  /** The lines asked for; the whole file where there are none. */
  lines?: { offset: number; limit: number }
  result: string
  parts: boolean
  ephemeral: boolean
}

const repeated = fc
  .tuple(fc.nat(3), fc.nat(60))
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

/** Few files and ranges: the same lines are read again and again. */
const lines = fc.constantFrom({ offset: 1, limit: 50 }, { offset: 51, limit: 49 })

const call: fc.Arbitrary<Call> = fc.record(
  {
    tool: fc.constantFrom('read_file', 'Read', 'edit_file', 'write_file', 'bash', 'grep', 'ls', 'weird'),
    path: fc.nat(4),
    lines,
    result,
    parts: fc.boolean(),
    ephemeral: fc.nat(6).map((n) => n === 0),
  },
  { requiredKeys: ['tool', 'path', 'result', 'parts', 'ephemeral'] },
)

const turn: fc.Arbitrary<Turn> = fc.record({
  prompt: fc.nat(5).map((n) => n === 0),
  text: fc.string({ maxLength: 30 }),
  reasoning: fc.nat(4).map((n) => n === 0),
  calls: fc.array(call, { maxLength: 3 }),
})

export const conversation = fc.array(turn, { maxLength: 14 })
export const format = fc.constantFrom<Format>(...FORMATS)
