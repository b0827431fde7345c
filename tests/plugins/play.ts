// A host of our own for plugins: a model that works through a script, tools that answer it, and nothing of the framework.
import { expect } from 'vitest'
import { fileText, RECALL_STEP, STEPS } from '../frameworks/provider.js'

/** A call of the model's at a step. */
interface Call {
  id: string
  name: string
  input: Record<string, unknown>
}

/** What a host does: keeps a session in its own shape, and shows the model what the plugin makes of it. */
export interface Host {
  /** What the model sees now, as text. */
  request(): Promise<string>
  /** The model was sent so many tokens, and answered with a call; the tool answered with a result. */
  step(call: Call, result: string, tokens: number): void
  /** Runs a tool of the plugin. */
  recall(call: Call): Promise<string>
  /** The texts of all results that the session holds. */
  results(): string[]
}

/** Plays a session of 60 steps: what was cleared is recalled at one of them, and nothing of the session is changed. */
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
