// Functions of the host that are async where the answer is needed at once, or where nothing is asked of them.
import { Context, cleanupEphemeralMessages, rollingContext } from 'trimtab'
import { trimtab } from 'trimtab/ai-sdk'
import { formatRead } from 'trimtab/files'
import { simulate, tune } from 'trimtab/money'
import { createFileReader, readFile } from 'trimtab/reading'
import { compose } from 'trimtab/recipes'
import { countMessages, messageCounter } from 'trimtab/tokens'
import { createReadTool } from 'trimtab/tools'
import { readTranscript } from 'trimtab/transcripts'
import { createWorkspace } from 'trimtab/workspace'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const late = (async () => {
  throw new Error('late')
}) as never
const ended: unknown[] = []
const note = (reason: unknown) => void ended.push(reason)
const turn = () => new Promise((resolve) => setTimeout(resolve, 10))

beforeEach(() => void process.on('unhandledRejection', note))
afterEach(async () => {
  await turn()
  process.off('unhandledRejection', note)
  expect(ended.splice(0)).toEqual([])
})

const history = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'ho' },
]
const ui = [{ id: 'u', role: 'user' as const, content: 'hi', parts: [{ type: 'text' as const, text: 'hi' }] }]
const workspace = createWorkspace({ memory: { 'a/b.txt': 'x' } })

async function walk(options: object): Promise<void> {
  for await (const _ of workspace.walk('.', options));
}

async function reading(options: object): Promise<string> {
  const made = await createReadTool(workspace, options).execute({ file_paths: ['a/b.txt'] })
  throw new Error(String(made.content))
}

const adapter = (options: object) =>
  trimtab(rollingContext(), options).view(ui as never, { id: '1' } as never)

describe('a function that must answer at once', () => {
  test.each<[string, string, () => unknown]>([
    ['counter', 'a raw one of a context', () => new Context({}, { counter: late }).project(history)],
    ['counter', 'of texts', () => new Context({}, { counter: messageCounter(late) }).project(history)],
    ['counter', 'of countMessages', () => countMessages(history, { counter: late })],
    ['counter', 'of simulate', () => simulate(history, { a: {} }, { counter: late })],
    ['counter', 'of an adapter', () => adapter({ counter: late })],
    ['counter', 'of a tool', () => reading({ counter: late })],
    ['encodingOf', 'of a tool', () => reading({ encodingOf: late })],
    ['now', 'of an adapter', () => adapter({ now: late })],
    ['passes[0]', 'of compose', () => compose(late)(history)],
    ['policies', 'of simulate', () => simulate(history, { a: late }, {})],
    ['content', 'of formatRead', () => formatRead({ path: 'a', content: late })],
    ['enters', 'of a walk', () => walk({ enters: late })],
    [
      'conversation',
      'of a reader',
      () => createFileReader({ conversation: late }).readFile({ path: 'a', content: 'x' } as never),
    ],
  ])('%s is refused if it is async (%s), and its rejection is taken', async (name, _, call) => {
    const refused = `${name} must answer at once, found a promise: pass a function that is not async`
    await expect((async () => call())()).rejects.toThrow(refused)
  })
})

describe('a callback that is asked for nothing', () => {
  const warn = vi.spyOn(console, 'warn')
  beforeEach(() => void warn.mockReset().mockImplementation(() => undefined))

  test.each<[string, () => unknown]>([
    [
      'listener',
      () => {
        const context = new Context()
        context.onView(late)
        return context.project(history)
      },
    ],
    ['onRequest', () => adapter({ onRequest: late })],
    ['onRemoved', () => cleanupEphemeralMessages(history, { onRemoved: late })],
    ['onRemoved', () => new Context().endTurn(history, { onRemoved: late })],
    ['onProgress', () => readTranscript(JSON.stringify(history), { onProgress: late })],
    ['onProgress', () => simulate(history, { a: {} }, { onProgress: late })],
    ['onPolicy', () => simulate(history, { a: {} }, { onPolicy: late })],
    ['onProgress', () => tune([{ messages: history }], { onProgress: late })],
    ['onEvent', () => readFile({ path: 'a', content: 'x', onEvent: late } as never)],
  ])('%s may be async, and its failure is a warning', async (name, call) => {
    await call()
    await turn()
    expect(warn).toHaveBeenCalledWith(`${name} failed: late`)
  })
})
