import { clearOldToolUses, TrimtabError } from 'trimtab'
import { type OpencodeHooks, trimtab } from 'trimtab/opencode'
import { describe, expect, test } from 'vitest'
import { POLICY } from '../frameworks/expectations.js'
import { tool } from './host-tools.js'
import { type Host, play } from './play.js'

type Hooks = OpencodeHooks<ReturnType<typeof tool>>
type Message = Parameters<Hooks['experimental.chat.messages.transform']>[1]['messages'][number]

const load = (policy = POLICY, options = {}) => trimtab(policy, { tool, ...options })()

/** A message with all fields that opencode stores; the plugin uses few of them. */
const made = (message: { info: object; parts: object[] }) => message as Message

const prompt = (sessionID: string, text: string): Message =>
  made({
    info: { id: 'u', sessionID, role: 'user', model: { providerID: 'p', modelID: 'm' } },
    parts: [{ id: 't', type: 'text', text }],
  })

/** An answer as opencode stores it: a step, with the call and its result in one part. */
function answer(
  sessionID: string,
  id: string,
  name: string,
  input: object,
  output: string,
  more = {},
  spent = 0,
): Message {
  const state = {
    status: 'completed',
    input,
    output,
    title: '',
    metadata: {},
    time: { start: 1, end: 2 },
    ...more,
  }
  const tokens = { input: spent, output: 10, reasoning: 0, cache: { read: 0, write: 0 } }
  return made({
    info: { id, sessionID, role: 'assistant', tokens },
    parts: [
      { id: `${id}-1`, type: 'step-start' },
      { id: `${id}-2`, type: 'text', text: 'Next.' },
      { id: `${id}-3`, type: 'tool', callID: id, tool: name, state },
      { id: `${id}-4`, type: 'step-finish', reason: 'tool-calls', tokens },
    ],
  })
}

const stateOf = (message: Message | undefined): Record<string, unknown> => {
  const parts = (message?.parts ?? []) as { type: string; state?: Record<string, unknown> }[]
  return parts.find(({ type }) => type === 'tool')?.state ?? {}
}

/**
 * The list as the plugin leaves it: opencode reads the session again for each request and sends the list that
 * it passed.
 */
async function shown(hooks: Hooks, session: readonly Message[]): Promise<Message[]> {
  const messages = structuredClone([...session])
  await hooks['experimental.chat.messages.transform']({}, { messages })
  return messages
}

function hostOf(hooks: Hooks, thread: string): Host {
  const session = [prompt(thread, `${thread}: read all files`)]
  return {
    request: async () => JSON.stringify(await shown(hooks, session)),
    step: ({ id, name, input }, result, tokens) =>
      session.push(answer(thread, id, name, input, result, {}, tokens)),
    recall: async ({ input }) => String(await hooks.tool.recall.execute(input, { sessionID: thread })),
    results: () => session.slice(1).map((message) => String(stateOf(message).output)),
  }
}

test('two sessions at once run 60 steps', async () => {
  const hooks = await load()
  await Promise.all(['thread-one', 'thread-two'].map((thread) => play(hostOf(hooks, thread), thread)))
})

describe('the view of an opencode session', () => {
  const NOW = {
    ...clearOldToolUses({ trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: 1 } }),
    recall: true,
  }
  const text = 'line\n'.repeat(400)

  test('keeps unedited messages as the same objects, and other fields of edited ones', async () => {
    const hooks = await load(NOW)
    const image = { id: 'f', type: 'file', mime: 'image/png', url: 'data:image/png;base64,iVBO' }
    const messages = [
      prompt('s', 'go'),
      answer('s', 'a', 'look', {}, text, { attachments: [image] }),
      answer('s', 'b', 'look', {}, text),
    ]
    const before = [...messages]
    await hooks['experimental.chat.messages.transform']({}, { messages })
    expect(messages.map((message, i) => message === before[i])).toEqual([true, false, true])
    const { output, attachments, ...rest } = stateOf(messages[1])
    expect(output).toMatch(/recall [0-9a-f]{8}/)
    expect(attachments).toEqual([])
    expect(rest).toMatchObject({ status: 'completed', input: {}, time: { start: 1, end: 2 } })
    expect(messages[1]?.parts.map(({ type }) => type)).toEqual(before[1]?.parts.map(({ type }) => type))
    expect(stateOf(before[1]).output).toBe(text)
    const reference = /recall ([0-9a-f]{8})/.exec(String(output))?.[1]
    const { mime, url } = image
    const attached = { output: text, attachments: [{ type: 'file', mime, url }] }
    expect(await hooks.tool.recall.execute({ reference }, { sessionID: 's' })).toEqual(attached)
  })

  test('allows recall after a summary, but not from another session', async () => {
    const hooks = await load(NOW)
    const session = ['a', 'b', 'c'].map((id) => answer('s', id, 'look', { id }, `${id}\n${text}`))
    const sent = JSON.stringify(await shown(hooks, [prompt('s', 'go'), ...session]))
    const reference = /recall ([0-9a-f]{8})/.exec(sent)?.[1]
    const summary = answer('s', 'sum', 'look', {}, 'short')
    await shown(hooks, [prompt('s', 'What was done so far?'), summary, prompt('s', 'Go on.')])
    const recall = (sessionID: string) => hooks.tool.recall.execute({ reference }, { sessionID })
    expect(await recall('s')).toBe(`a\n${text}`)
    await shown(hooks, [prompt('other', 'go')])
    expect(await recall('other')).toMatch(/^Error: /)
    expect(await recall('unknown')).toMatch(/^Error: /)
    await hooks.dispose()
  })

  test('recognises results that opencode cleared and calls that failed', async () => {
    const hooks = await load(NOW)
    const failed = { status: 'error', error: `Error: ${text}`, output: undefined }
    const session = [
      prompt('s', 'go'),
      answer('s', 'a', 'look', {}, text, { time: { start: 1, end: 2, compacted: 3 } }),
      answer('s', 'b', 'look', {}, '', failed),
      answer('s', 'c', 'look', {}, text),
    ]
    const view = await shown(hooks, session)
    expect(view[1]).toEqual(session[1])
    expect(stateOf(view[2]).status).toBe('error')
    const empty: Message[] = []
    await hooks['experimental.chat.messages.transform']({}, { messages: empty })
    expect(empty).toEqual([])
  })
})

test('an invalid policy or option is refused when the plugin is loaded', () => {
  expect(() => trimtab({ clear: { keep: -1 } } as never, { tool })).toThrow(TrimtabError)
  expect(() => trimtab(POLICY, {} as never)).toThrow('tool must be')
  expect(() => trimtab(POLICY, { tool, sessions: 1 } as never)).toThrow('sessions')
})
