// A `UIMessage` holds all steps of a turn and grows with each: its content was sent before, as that of earlier messages.
import { Context, cacheAware } from 'trimtab'
import { expect, test } from 'vitest'

const STEPS = 60

/** The parts of one step: a read of one of seven files, or a command. */
const stepOf = (i: number) => [
  { type: 'step-start' },
  {
    type: i % 3 === 0 ? 'tool-bash' : 'tool-read_file',
    toolCallId: `call_${i}`,
    state: 'output-available',
    input: i % 3 === 0 ? { command: `make part-${i}` } : { path: `src/file-${i % 7}.ts` },
    output: `line ${i} of a text that is long enough\n`.repeat(20 + ((i * 37) % 300)),
  },
]
const prompt = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] }

test.each(['careful', 'balanced', 'thrifty'] as const)(
  'cacheAware decides alike about both: %s',
  (character) => {
    const contexts = [0, 1].map(() => new Context(cacheAware({ character }), { format: 'ai-sdk-ui' }))
    const steps = Array.from({ length: STEPS }, (_, i) => stepOf(i))
    const sizes = (count: number) => {
      const shown = steps.slice(0, count)
      const grown = shown.length === 0 ? [] : [{ id: 'm', role: 'assistant', parts: shown.flat() }]
      const each = shown.map((parts, i) => ({ id: `m${i}`, role: 'assistant', parts }))
      return [grown, each].map(
        (messages, i) => contexts[i]?.project([prompt, ...messages]).report.tokensAfter,
      )
    }
    const all = Array.from({ length: STEPS + 1 }, (_, count) => sizes(count))
    expect(all.map(([grown]) => grown)).toEqual(all.map(([, each]) => each))
    // Something is cleared, and not at every step.
    const falls = all.filter(([size], i) => i > 0 && (size ?? 0) < (all[i - 1]?.[0] ?? 0))
    expect(falls.length).toBeGreaterThan(0)
    expect(falls.length).toBeLessThan(STEPS / 2)
  },
)
