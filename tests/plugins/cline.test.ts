import { clearOldToolUses } from 'trimtab'
import { type ClineMessage, type ClineSetup, trimtab } from 'trimtab/cline'
import { expect, test } from 'vitest'
import { POLICY } from '../frameworks/expectations.js'
import { type Host, play } from './play.js'

type Message = Omit<ClineMessage, 'content'> & {
  id: string
  createdAt: number
  content: { type: string; [field: string]: unknown }[]
  metrics?: object
}

function use(id: string, toolName: string, input: object, output: unknown, inputTokens = 0): Message[] {
  const metrics = { inputTokens, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 }
  const call = { type: 'tool-call', toolCallId: id, toolName, input }
  const result = { type: 'tool-result', toolCallId: id, toolName, output }
  return [
    { id, role: 'assistant', content: [{ type: 'text', text: 'Next.' }, call], createdAt: 1, metrics },
    { id: `${id}r`, role: 'tool', content: [result], createdAt: 2 },
  ]
}

/** Messages sent by Cline's runtime, which passes copies of its transcript and sends the returned ones. */
function sent({ hooks }: ClineSetup, messages: readonly Message[], conversationId = 'c'): Message[] {
  const request = {
    messages: structuredClone([...messages]),
    systemPrompt: 'Work.',
    tools: [{ name: 'read' }],
  }
  return hooks.beforeModel({ snapshot: { agentId: 'a', conversationId }, request }).messages
}

const recall = ({ tools }: ClineSetup, args: unknown, conversationId = 'c') =>
  tools[0].execute(args, { agentId: 'a', conversationId })

const prompt = (text: string): Message => ({
  id: 'u',
  role: 'user',
  content: [{ type: 'text', text }],
  createdAt: 0,
})

function hostOf(plugin: ClineSetup, thread: string): Host {
  const session = [prompt(`${thread}: read all files`)]
  return {
    request: () => Promise.resolve(JSON.stringify(sent(plugin, session, thread))),
    step: ({ id, name, input }, result, tokens) => session.push(...use(id, name, input, result, tokens)),
    recall: ({ input }) => Promise.resolve(String(recall(plugin, input, thread))),
    results: () =>
      session.filter(({ role }) => role === 'tool').map(({ content }) => String(content[0]?.output)),
  }
}

test('two conversations at once run 60 steps', async () => {
  const plugin = trimtab(POLICY).setup()
  await Promise.all(['thread-one', 'thread-two'].map((thread) => play(hostOf(plugin, thread), thread)))
})

const NOW = {
  ...clearOldToolUses({ trigger: { type: 'tool_uses', value: 1 }, keep: { type: 'tool_uses', value: 1 } }),
  recall: true,
}
const text = 'line\n'.repeat(400)

test('results of every shape are cleared, and other messages stay unchanged', () => {
  const plugin = trimtab(NOW).setup()
  const image = { type: 'image', data: 'iVBO', mediaType: 'image/png' }
  const messages = [
    prompt('go'),
    ...use('a', 'read', {}, text),
    ...use('b', 'query', {}, { rows: [text] }),
    ...use('c', 'screenshot', {}, [{ type: 'text', text }, image]),
    { id: 'r', role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }], createdAt: 3 },
    ...use('d', 'read', {}, text),
  ]
  const view = sent(plugin, messages)
  const changed = view.flatMap((message, i) =>
    JSON.stringify(message) === JSON.stringify(messages[i]) ? [] : [i],
  )
  expect(changed).toEqual([2, 4, 6])
  for (const i of changed) {
    const [result] = messages[i]?.content ?? []
    const output = expect.stringMatching(/recall [0-9a-f]{8}/)
    expect(view[i]).toEqual({ ...messages[i], content: [{ ...result, output }] })
  }
  const reference = /recall ([0-9a-f]{8})/.exec(JSON.stringify(view[6]))?.[1]
  expect(recall(plugin, { reference })).toEqual(messages[6]?.content[0]?.output)
})

test('recall returns results of the same conversation only', () => {
  const plugin = trimtab(NOW).setup()
  const messages = [prompt('go'), ...use('a', 'read', {}, `a\n${text}`), ...use('b', 'read', {}, text)]
  const reference = /recall ([0-9a-f]{8})/.exec(JSON.stringify(sent(plugin, messages)))?.[1]
  expect(recall(plugin, { reference })).toBe(`a\n${text}`)
  expect(recall(plugin, { reference }, 'other')).toMatch(/^Error: /)
})
