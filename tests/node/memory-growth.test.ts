// The memory of the engine grows for a history at once: in V8, each growth of a memory over 64 MB may start a collection
// of garbage, which takes a millisecond and more.

import { project, rollingContext } from 'trimtab'
import { expect, test } from 'vitest'
import { core } from '../../js/dist/engine/core.js'

const STEPS = 2000

/** A history that notes the engine's memory whenever a message is read: a memory that grows has another buffer. */
function history(buffers: Set<ArrayBufferLike>): object[] {
  const result = (i: number): object => ({
    role: 'tool',
    tool_call_id: `c${i}`,
    get content() {
      buffers.add(core.memory.buffer)
      return `line ${i}\n`.repeat(20)
    },
  })
  const call = (i: number) => {
    const input = JSON.stringify({ path: `src/module${i}.ts`, old_string: 'x'.repeat(300) })
    return { id: `c${i}`, type: 'function', function: { name: 'edit', arguments: input } }
  }
  const steps = Array.from({ length: STEPS }, (_, i) => [
    { role: 'assistant', content: 'I look.', tool_calls: [call(i)] },
    result(i),
  ])
  return [{ role: 'user', content: 'Look.' }, ...steps.flat()]
}

test('a history of 4,000 messages is read with at most two growths of the memory', () => {
  project([{ role: 'user', content: 'The engine starts.' }])
  const buffers = new Set<ArrayBufferLike>()
  project(history(buffers), rollingContext())
  expect(buffers.size).toBeLessThanOrEqual(3)
})
