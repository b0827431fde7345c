// A `UIMessage` holds all steps of a turn: the mark of an ephemeral result is on its part.
import { cleanupEphemeralMessages, project } from 'trimtab'
import { loadSession, memoryStore, saveSession } from 'trimtab/sessions'
import { addToolResults } from 'trimtab/tools'
import { describe, expect, test } from 'vitest'

const SECRET = 'SECRET '.repeat(100)
const PLAIN = 'export const a = 1\n'.repeat(20)

const step = { type: 'step-start' }
const asked = (name: string, toolCallId: string, more = {}) => ({
  type: `tool-${name}`,
  toolCallId,
  state: 'input-available',
  input: { path: 'a.ts' },
  ...more,
})
const answer = (name: string, id: string, content: string, ephemeral = false) => ({
  call: { id, name },
  result: { content, isError: false, ephemeral },
})
type Parts = { toolCallId?: string; output?: unknown; toolMetadata?: unknown }[]
type Turn = { id: string; role: string; parts: Parts }

/** Adds parts to the last message, as a host does when the model answers. */
function said(history: Turn[], ...parts: object[]): Turn[] {
  const last = history.at(-1) as Turn
  return [...history.slice(0, -1), { ...last, parts: [...last.parts, ...(parts as Parts)] }]
}

/** An edit, then an ordinary and an ephemeral read beside each other, then the final text. */
function turn(): Turn[] {
  const start: Turn[] = [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' } as Parts[number]] },
    { id: 'm', role: 'assistant', parts: [step, asked('edit_file', 'edit')] as Parts },
  ]
  const edited = addToolResults(start, [answer('edit_file', 'edit', 'Edited a.ts')])
  const reads = said(
    edited,
    step,
    asked('read_file', 'read'),
    asked('read_file', 'once', { toolMetadata: { of: 'me' } }),
  )
  const read = addToolResults(reads, [
    answer('read_file', 'read', PLAIN),
    answer('read_file', 'once', SECRET, true),
  ])
  return said(read, step, { type: 'text', text: 'done', state: 'done' })
}

const outputs = (history: readonly Turn[]) =>
  Object.fromEntries(
    (history[1]?.parts ?? []).flatMap((part) => (part.toolCallId ? [[part.toolCallId, part.output]] : [])),
  )

describe('ephemeral results in a UIMessage', () => {
  test('only the marked part is one, and keeps the metadata of its tool', () => {
    const history = turn()
    const marks = history[1]?.parts.map((part) => part.toolMetadata)
    expect(marks).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      { of: 'me', ephemeral: true },
      undefined,
      undefined,
    ])
    expect(history[1]).not.toHaveProperty('metadata')
  })

  test.each(['stub', 'remove'] as const)('%s leaves the other results of the turn', (mode) => {
    const cleaned = outputs(cleanupEphemeralMessages(turn(), { mode }))
    expect(cleaned).toMatchObject({ edit: 'Edited a.ts', read: PLAIN })
    expect(JSON.stringify(cleaned)).not.toContain('SECRET')
    expect('once' in cleaned).toBe(mode === 'stub')
  })

  test('a saved session keeps the other results', async () => {
    const store = memoryStore()
    await saveSession(store, 's', { history: turn() })
    const loaded = await loadSession(store, 's')
    const kept = outputs(loaded?.session.history as unknown as Turn[])
    expect(kept).toMatchObject({ edit: 'Edited a.ts', read: PLAIN })
    expect(JSON.stringify(kept)).not.toContain('SECRET')
  })

  test('a mark of the message is for all its results', () => {
    const [user, message] = turn() as [Turn, Turn]
    const marked = [user, { ...message, metadata: { ephemeral: true } }]
    expect(JSON.stringify(cleanupEphemeralMessages(marked))).not.toContain('export const a')
  })

  test('a view has no ephemeral content once the final text has ended the turn', () => {
    const history = turn()
    const open = [history[0], { ...history[1], parts: history[1]?.parts.slice(0, -2) }] as Turn[]
    const seen = (messages: Turn[]) => JSON.stringify(project(messages, { ephemeral: true }).messages)
    expect(seen(open)).toContain('SECRET')
    expect(seen(history)).not.toContain('SECRET')
    expect(seen(history)).toContain('export const a')
  })
})

describe('a call that has a result already', () => {
  const history = (...parts: object[]): object[] => [
    { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }] },
    { id: 'm', role: 'assistant', parts },
  ]

  test.each<[string, object]>([
    ['an output', { state: 'output-available', output: 'old' }],
    ['an error', { state: 'output-error', errorText: 'old' }],
    ['a denial', { state: 'output-denied', approval: { id: 'a', approved: false } }],
  ])('is refused: %s', (_, more) => {
    const answers = [answer('bash', 'a', 'new')]
    expect(() => addToolResults(history(asked('bash', 'a', more)), answers)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })

  test('is refused: another answer', () => {
    const answers = [answer('bash', 'a', 'new'), answer('bash', 'a', 'newer')]
    expect(() => addToolResults(history(asked('bash', 'a')), answers)).toThrow('answers[1].call.id')
  })

  test.each<[string, object]>([
    ['approved', { state: 'approval-responded', approval: { id: 'a', approved: true } }],
    ['with a part of its output', { state: 'output-available', output: 'o', preliminary: true }],
  ])('is not one %s', (_, more) => {
    const [, last] = addToolResults(history(asked('bash', 'a', more)), [answer('bash', 'a', 'new')])
    expect(last).toMatchObject({ parts: [{ state: 'output-available', output: 'new' }] })
    expect(JSON.stringify(last)).not.toContain('preliminary')
  })
})
