import { Context, cacheAware, clearOldToolUses, type Policy, rollingContext, smartRetention } from 'trimtab'
import { afterAll, expect, test } from 'vitest'
// The generated histories of the benchmarks: a coding agent's, of any length.
import { drawScript, play } from '../../benches/history.js'
import { core } from '../../js/dist/engine/core.js'

const MESSAGES = 10_000
const KILOBYTE = 1024

/** Memory of the engine in bytes; WebAssembly memory grows and never shrinks. */
const engineBytes = (): number => core.memory.buffer.byteLength

const script = drawScript({ count: MESSAGES, bytes: MESSAGES * 1000 })

/** Kept until the end, so that no history reuses memory that another one has freed. */
const kept: Context[] = []
afterAll(() => {
  for (const context of kept) context[Symbol.dispose]()
})

const policies: Record<string, () => Policy> = {
  rollingContext,
  smartRetention,
  cacheAware,
  clearOldToolUses,
}

test.each(Object.entries(policies))('%s: the engine uses at most 1 KB of memory per message', (_, policy) => {
  const messages = play(script)
  const before = engineBytes()
  const context = new Context(policy())
  kept.push(context)
  for (let length = 1000; length <= MESSAGES; length += 1000) context.project(messages.slice(0, length))
  expect(engineBytes() - before).toBeLessThanOrEqual(MESSAGES * KILOBYTE)
  // Less would mean that something else was measured: each message needs at least a number and a size.
  expect(engineBytes() - before).toBeGreaterThan(MESSAGES * 16)
})

test('creating and disposing 10,000 contexts does not grow memory', () => {
  const messages = play(script.slice(0, 20))
  const useOne = (policy: Policy): void => {
    using context = new Context(policy)
    expect(context.project(messages).messages).toHaveLength(messages.length)
  }
  const chosen = Object.values(policies).map((policy) => policy())
  const useMany = (count: number): void => {
    for (let i = 0; i < count; i++) useOne(chosen[i % chosen.length] as Policy)
  }
  useMany(100) // The maximum of one context.
  const before = engineBytes()
  useMany(10_000)
  expect(engineBytes()).toBe(before)
})
