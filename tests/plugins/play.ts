// A simulated host for plugins: a scripted model with tools that answer it, independent of any framework.
import { expect } from 'vitest'
import { fileText, RECALL_STEP, STEPS } from '../frameworks/provider.js'

/** A call of the model at a step. */
interface Call {
  id: string
  name: string
  input: Record<string, unknown>
}

/** A host that keeps a session in its own format and shows the model the messages that the plugin returns. */
export interface Host {
  /** The messages that the model sees now, as text. */
  request(): Promise<string>
  /**
   * Adds a step: the model was sent `tokens` tokens and made a call, which the tool answered with a result.
   */
  step(call: Call, result: string, tokens: number): void
  /** Runs the plugin's recall tool. */
  recall(call: Call): Promise<string>
  /** Texts of all results in the session. */
  results(): string[]
}

/**
 * Plays a session of 60 steps with one recall of a cleared result, and checks that the session itself is not
 * changed.
 */
export async function play(host: Host, thread: string): Promise<void> {
  const sizes: number[] = []
  const given: string[] = []
  let recalled = ''
  for (let step = 0; step < STEPS; step++) {
    const sent = await host.request()
    sizes.push(sent.length)
    const reference = /recall ([0-9a-f]{8})/.exec(sent)?.[1]
    const isRecall = step === RECALL_STEP && reference !== undefined
    const call: Call = isRecall
      ? { id: `${thread}_${step}`, name: 'recall', input: { reference } }
      : { id: `${thread}_${step}`, name: 'read_file', input: { path: `src/${step}.ts` } }
    const result = isRecall ? await host.recall(call) : fileText(thread, `src/${step}.ts`)
    if (isRecall) recalled = result
    given.push(result)
    host.step(call, result, sent.length >> 2)
  }
  expect(host.results()).toEqual(given)
  expect(recalled).toBe(fileText(thread, /^\S+/.exec(recalled)?.[0] ?? ''))
  expect(Math.max(...sizes)).toBeLessThan(0.7 * given.join('').length)
}
