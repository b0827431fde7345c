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
  /** What the call writes, if it writes something. */
  body?: string | undefined
  result: string
  parts: boolean
  ephemeral: boolean
}

const repeated = fc
  .tuple(fc.nat(3), fc.nat(60))
  .map(([number, lines]) => `line ${number} of a file\n`.repeat(lines))
const anyText = fc.string({ unit: 'binary', maxLength: 300 })
const failure = fc.constant(`Error: ${'no such file '.repeat(30)}`)
const result = fc.oneof({ arbitrary: repeated, weight: 5 }, { arbitrary: anyText, weight: 1 }, failure)

const call: fc.Arbitrary<Call> = fc.record({
  tool: fc.constantFrom('read_file', 'Read', 'edit_file', 'bash', 'grep', 'weird'),
  path: fc.nat(4),
  body: fc.option(fc.oneof(repeated, anyText), { nil: undefined, freq: 1 }),
  result,
  parts: fc.boolean(),
  ephemeral: fc.nat(6).map((n) => n === 0),
})

const turn: fc.Arbitrary<Turn> = fc.record({
  prompt: fc.nat(5).map((n) => n === 0),
  text: fc.string({ maxLength: 30 }),
  reasoning: fc.nat(4).map((n) => n === 0),
  calls: fc.array(call, { maxLength: 3 }),
})

export const conversation = fc.array(turn, { maxLength: 14 })
export const format = fc.constantFrom<Format>(...FORMATS)

export const policy = fc.record(
  {
    age: fc.oneof(
      fc.boolean(),
      fc.record(
        {
          maxToolOutputAge: fc.nat(8),
          maxToolOutputTokens: fc.nat(60),
          preserveRecentFiles: fc.boolean(),
          summarizeOnTruncate: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
    ephemeral: fc.boolean(),
    dedupe: fc.boolean(),
    clear: fc.record({
      trigger: fc.constant({ type: 'tool_uses' as const, value: 3 }),
      clearToolInputs: fc.oneof(fc.boolean(), fc.constant<string[]>(['bash'])),
    }),
    edits: fc.record({ after: fc.nat(4), atLeast: fc.integer({ min: 2, max: 4 }) }),
    inputs: fc.record(
      {
        after: fc.nat(4),
        maxChars: fc.integer({ min: 64, max: 300 }),
        what: fc.constantFrom<'all' | 'old'>('all', 'old'),
      },
      { requiredKeys: [] },
    ),
    reasoning: fc.constantFrom<'keep' | 'drop' | 'append-only'>('keep', 'drop', 'append-only'),
  },
  { requiredKeys: [] },
)
