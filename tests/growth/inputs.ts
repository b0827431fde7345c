// Input of size n, and rows for functions that take the same kind of input.

import {
  Context,
  cacheAware,
  clearOldToolUses,
  type Policy,
  project,
  rollingContext,
  smartRetention,
} from 'trimtab'
import * as money from 'trimtab/money'
import * as outlines from 'trimtab/outline'
import * as reading from 'trimtab/reading'
import type * as tokens from 'trimtab/tokens'
import * as tools from 'trimtab/tools'
import * as workspaces from 'trimtab/workspace'
import { HISTORIES } from './histories.js'

/** Prepares input of size n, and returns the call to count. */
export type Row = (n: number) => (() => unknown) | Promise<() => unknown>
export type Rows = Record<string, Row>

type Shape = keyof typeof HISTORIES
/** Default histories for most functions. */
export const SHAPES: Shape[] = ['steps', 'calls', 'blocks', 'parts', 'talk']

/** Rows for each history, with the call that uses it. */
export const histories = (call: (messages: object[], n: number) => unknown, shapes: Shape[] = SHAPES): Rows =>
  Object.fromEntries(
    shapes.map((shape) => [
      shape,
      (n) => {
        const messages = HISTORIES[shape](n)
        return () => call(messages, n)
      },
    ]),
  )

export const one = (row: Row): Rows => ({ input: row })
/** Default histories, and those in which files are what grows. */
export const OF_FILES: Shape[] = [...SHAPES, 'files', 'edits', 'gaps', 'pages', 'patches', 'wide']
export const CHAT: Shape[] = ['steps', 'calls']
/** Rows for functions that take one message's text, of size n. */
export const ofText = (call: (text: string) => unknown, line = (i: number) => `src/f${i}.ts: line ${i}`) =>
  one((n) => {
    const text = Array.from({ length: n * 10 }, (_, i) => line(i)).join('\n')
    return () => call(text)
  })
export const code = (n: number) =>
  Array.from({ length: n }, (_, i) => `export function f${i}(a: number) {\n  return a + ${i}\n}\n`).join('\n')
export const markdown = (n: number) =>
  Array.from({ length: n }, (_, i) => `## Part ${i}\n\nText ${i}.\n`).join('\n')
export const fileNames = (n: number) => Array.from({ length: n }, (_, i) => `src/a${i % 7}/f${i}.ts`)
export const fileMap = (n: number) => Object.fromEntries(fileNames(n).map((path) => [path, 'const a = 1\n']))
export const toolMessage = (text: string) => ({ role: 'tool', tool_call_id: 'a', content: text })
const trigger = { type: 'input_tokens', value: 1000 } as const
export const policies: Record<string, () => Policy> = {
  smartRetention,
  cacheAware,
  rollingContext,
  clearOldToolUses: () => clearOldToolUses({ trigger }),
}
/** Policies whose requests may each examine all results that they keep. */
export const patient: Record<string, () => Policy> = {
  'that keeps tools': () => clearOldToolUses({ trigger, excludeTools: ['read_file', 'bash'] }),
  'that waits': () => clearOldToolUses({ trigger, clearAtLeast: 1_000_000_000 }),
}
export const projected = (policies: Record<string, () => Policy>, shapes?: Shape[]): Rows =>
  Object.fromEntries(
    Object.entries(policies).flatMap(([name, policy]) =>
      Object.entries(histories((messages) => project(messages, policy()).report.edits, shapes)).map(
        ([shape, row]) => [`${name}, ${shape}`, row],
      ),
    ),
  )
export const prices = money.PRICES.anthropic
export const usages = (messages: readonly object[]) =>
  messages.map((message, i) =>
    (message as { role: string }).role === 'assistant' ? { input: 1000 + 50 * i, output: 20 } : null,
  ) as unknown as (tokens.ReportedUsage | null)[]
const answer = (i: number) => ({
  call: { id: `c${i}`, name: 'read_file' },
  result: { content: 'x', isError: false, ephemeral: false },
})
export const answers = (n: number) => Array.from({ length: n }, (_, i) => answer(i))
export const requests = (n: number) => {
  const messages = HISTORIES.steps(n)
  return Array.from({ length: 10 }, (_, i) => ({
    body: {
      model: 'claude-sonnet-4-5',
      messages: messages.slice(0, Math.ceil((messages.length * (i + 1)) / 10)),
    },
    response: { usage: { input_tokens: 100 * (i + 1), output_tokens: 5 } },
  }))
}
export const tool = (name: string, n: number, input: object) => {
  const workspace = workspaces.createWorkspace({ memory: { ...fileMap(n), 'big.md': markdown(n) } })
  const all = tools.createTools(workspace, { reader: reading.createFileReader() })
  const meant = all.find((each) => each.name === name)
  return () => meant?.execute(input as never)
}
export const grammar = outlines.loadGrammar('typescript')

export const replayed = (messages: readonly object[], tried: Record<string, Policy>) =>
  money.simulate(messages, tried, { prices, bounds: false })

/** Runs an agent under a policy: each step is a request. */
export const runOf = (policy: Policy, messages: readonly object[], every: number) => {
  const context = new Context(policy)
  for (let length = 2; length <= messages.length; length += every) context.project(messages.slice(0, length))
  context.endTurn(messages)
  return context
}
