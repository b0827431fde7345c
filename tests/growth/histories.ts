// Histories of n steps of different kinds, and histories in which one message has n calls or n parts: in each,
// something else grows.
import { longSession } from '../money/long-session.js'

const output = (i: number) => `line ${i} of the output\n`.repeat(20)
const inputOf = (i: number) => (i % 3 === 0 ? { path: `src/f${i % 20}.ts` } : { command: `make target${i}` })
const nameOf = (i: number) => (i % 3 === 0 ? 'read_file' : 'bash')

const calls = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ id: `c${i}`, name: nameOf(i), input: inputOf(i) }))

/** Chat Completions: one message with n calls. */
function chatCalls(n: number): object[] {
  const asked = calls(n).map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: null, tool_calls: asked },
    ...asked.map(({ id }, i) => ({ role: 'tool', tool_call_id: id, content: output(i) })),
    { role: 'assistant', content: 'Done.' },
  ]
}

/** Anthropic Messages: n calls in one message, n results in the next, and n texts in the last. */
function blocks(n: number): object[] {
  const asked = calls(n)
  return [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: asked.map((call) => ({ type: 'tool_use', ...call })) },
    {
      role: 'user',
      content: asked.map(({ id }, i) => ({ type: 'tool_result', tool_use_id: id, content: output(i) })),
    },
    { role: 'assistant', content: asked.map((_, i) => ({ type: 'text', text: `Line ${i} is right.` })) },
  ]
}

/** AI SDK: one UI message with n parts. */
function parts(n: number): object[] {
  return [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
    {
      id: 'a',
      role: 'assistant',
      parts: calls(n).flatMap(({ id, name, input }, i) => [
        { type: 'step-start' },
        { type: `tool-${name}`, toolCallId: id, state: 'output-available', input, output: output(i) },
      ]),
    },
    { id: 'v', role: 'user', parts: [{ type: 'text', text: 'Thanks.' }] },
  ]
}

/** Chat Completions: n steps with one call each. */
const chatSteps = (n: number, call: (i: number) => { name: string; input: object; output: string }) => [
  { role: 'user', content: 'Look.' },
  ...Array.from({ length: n }, (_, i) => {
    const { name, input, output } = call(i)
    const called = { name, arguments: JSON.stringify(input) }
    return [
      { role: 'assistant', content: null, tool_calls: [{ id: `c${i}`, type: 'function', function: called }] },
      { role: 'tool', tool_call_id: `c${i}`, content: output },
    ]
  }).flat(),
  { role: 'assistant', content: 'Done.' },
]

/** One file, read in slices. */
const slices = (n: number) =>
  chatSteps(n, (i) => ({
    name: 'read_file',
    input: { path: 'src/long.ts', offset: i * 50 + 1, limit: 50 },
    output: output(i),
  }))

/** One file, read in slices from its end to its start. */
const backwards = (n: number) =>
  chatSteps(n, (i) => ({
    name: 'read_file',
    input: { path: 'src/long.ts', offset: (n - i) * 50 + 1, limit: 50 },
    output: output(i),
  }))

/** Prompts and answers, without calls. */
const talk = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: output(i) }))

/** Commands that all fail, each a different one. */
const failures = (n: number) =>
  chatSteps(n, (i) => ({
    name: 'bash',
    input: { command: `make target${(i * 7919) % n}` },
    output: `Error: no rule\n${output(i)}`,
  }))

/** n / 5 files, each edited five times; the replaced text is long. */
const files = (n: number) =>
  chatSteps(n, (i) => ({
    name: 'edit_file',
    input: { path: `src/f${i % Math.ceil(n / 5)}.ts`, old_string: output(i), new_string: output(i + 1) },
    output: 'ok',
  }))

/** One file, edited n times; each edit is short. */
const edits = (n: number) =>
  chatSteps(n, (i) => ({
    name: 'edit_file',
    input: { path: 'src/f3.ts', old_string: `line ${i} of the file`, new_string: `line ${i} is new` },
    output: 'ok',
  }))

/** One file, read five lines at a time, at every `step` lines. */
const fiveLines = (n: number, step: number) =>
  chatSteps(n, (i) => ({
    name: 'read_file',
    input: { path: 'src/f3.ts', offset: i * step + 1, limit: 5 },
    output: Array.from(
      { length: 5 },
      (_, j) => `${String(i * step + j + 1).padStart(6)}\tline ${i * step + j}`,
    ).join('\n'),
  }))

/** Parts of one file that do not touch. */
const gaps = (n: number) => fiveLines(n, 10)

/** Parts of one file that follow each other. */
const pages = (n: number) => fiveLines(n, 5)

/** Four patches, each of n files. */
const patches = (n: number) =>
  chatSteps(4, (i) => {
    const files = Array.from({ length: n }, (_, j) => `*** Update File: src/f${j}.ts\n@@\n-${i}\n+${i + 1}\n`)
    const input = `*** Begin Patch\n${files.join('')}*** End Patch\n`
    return { name: 'apply_patch', input: { input }, output: 'Done!' }
  })

/** Four reads, each of n files. */
const wide = (n: number) =>
  chatSteps(4, (i) => {
    const names = Array.from({ length: n }, (_, j) => `src/f${j}.ts`)
    const output = names.map((name) => `=== ${name} ===\n     1\tline ${i}`).join('\n\n')
    return { name: 'read_file', input: { file_paths: names }, output }
  })

export const HISTORIES = {
  steps: longSession,
  slices,
  backwards,
  failures,
  files,
  talk,
  edits,
  gaps,
  pages,
  patches,
  wide,
  calls: chatCalls,
  blocks,
  parts,
} satisfies Record<string, (n: number) => object[]>
