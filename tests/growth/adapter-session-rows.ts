// Whole sessions in the adapters and plugins that read messages of their hosts: one request per turn. A host gives
// the same objects at each request, or makes them anew.
import { trimtab as cline } from 'trimtab/cline'
import { type AgentModel, trimtab as agents } from 'trimtab/openai-agents'
import { trimtab as opencode } from 'trimtab/opencode'
import { type ChatContext, trimtab as tanstack } from 'trimtab/tanstack'
import { tool } from '../plugins/host-tools.js'
import type { Rows } from './inputs.js'
import { startPi } from './plugin-rows.js'
import { CLEARING, session, type Turn } from './session-rows.js'

const textOf = (i: number): string => `line ${i} of the output\n`.repeat(20)
const inputOf = (i: number): object =>
  i % 3 === 0 ? { path: `src/f${i % 20}.ts` } : { command: `make t${i}` }
const nameOf = (i: number): string => (i % 3 === 0 ? 'read' : 'bash')

/** A prompt and n steps. */
const steps =
  (prompt: object, step: (i: number) => object[]) =>
  (n: number): object[] => [prompt, ...Array.from({ length: n }, (_, i) => step(i)).flat()]

const ofAgents = (): Turn => {
  const answer = { output: [], usage: { inputTokens: 1000, outputTokens: 5 } }
  const host = { getResponse: () => Promise.resolve(answer), getStreamedResponse: () => [] }
  const model = agents(CLEARING).model(host as unknown as AgentModel)
  return (input) => model.getResponse({ input } as never)
}
const agentItems = steps({ role: 'user', content: 'Look.' }, (i) => [
  { type: 'function_call', callId: `c${i}`, name: nameOf(i), arguments: JSON.stringify(inputOf(i)) },
  {
    type: 'function_call_result',
    callId: `c${i}`,
    name: nameOf(i),
    status: 'completed',
    output: { type: 'text', text: textOf(i) },
  },
])

const ofTanStack = (): Turn => {
  const { middleware } = tanstack(CLEARING)
  return (messages) => {
    const context: ChatContext = { phase: 'beforeModel', model: 'm', messages }
    middleware.onConfig(context, { messages })
    middleware.onUsage(context, { promptTokens: 1000, completionTokens: 5 })
  }
}
const tanstackMessages = steps({ role: 'user', content: 'Look.' }, (i) => [
  {
    role: 'assistant',
    content: null,
    toolCalls: [
      { id: `c${i}`, type: 'function', function: { name: nameOf(i), arguments: JSON.stringify(inputOf(i)) } },
    ],
  },
  { role: 'tool', toolCallId: `c${i}`, content: textOf(i) },
])

const ofOpencode = async (): Promise<Turn> => {
  const hooks = await opencode(CLEARING, { tool })()
  // The hook changes the array.
  return (messages) => hooks['experimental.chat.messages.transform']({}, { messages: [...messages] as never })
}
const opencodeMessages = steps(
  { info: { role: 'user', sessionID: 's' }, parts: [{ type: 'text', text: 'Look.' }] },
  (i) => [
    {
      info: {
        role: 'assistant',
        sessionID: 's',
        tokens: { input: 1000, output: 5, cache: { read: 0, write: 0 } },
      },
      parts: [
        {
          type: 'tool',
          callID: `c${i}`,
          tool: nameOf(i),
          state: { status: 'completed', input: inputOf(i), output: textOf(i) },
        },
      ],
    },
  ],
)

const ofCline = (): Turn => {
  const { hooks } = cline(CLEARING).setup()
  return (messages) =>
    hooks.beforeModel({ snapshot: { agentId: 'a' }, request: { messages, tools: [] } } as never)
}
const clineMessages = steps({ role: 'user', content: [{ type: 'text', text: 'Look.' }] }, (i) => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: `c${i}`, toolName: nameOf(i), input: inputOf(i) }],
    metrics: { inputTokens: 1000, outputTokens: 5 },
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: `c${i}`, toolName: nameOf(i), output: textOf(i) }],
  },
])

const ofPi = (): Turn => startPi(CLEARING)
const piMessages = steps({ role: 'user', content: 'Look.' }, (i) => [
  {
    role: 'assistant',
    content: [{ type: 'toolCall', id: `c${i}`, name: nameOf(i), arguments: inputOf(i) }],
    usage: { input: 1000, output: 5, cacheRead: 0, cacheWrite: 0 },
  },
  {
    role: 'toolResult',
    toolCallId: `c${i}`,
    toolName: nameOf(i),
    content: [{ type: 'text', text: textOf(i) }],
  },
])

const anew = (start: () => Turn | Promise<Turn>) => async (): Promise<Turn> => {
  const turn = await start()
  return (messages, i) => turn(structuredClone(messages), i)
}

const rows = (name: string, start: () => Turn | Promise<Turn>, all: (n: number) => object[]): Rows => ({
  [name]: session(start, all),
  [`${name}, messages made anew`]: session(anew(start), all),
})

export const ADAPTER_SESSIONS: Rows = {
  ...rows('OpenAI Agents', ofAgents, agentItems),
  ...rows('TanStack', ofTanStack, tanstackMessages),
  ...rows('opencode', ofOpencode, opencodeMessages),
  ...rows('Cline', ofCline, clineMessages),
  ...rows('pi', ofPi, piMessages),
}
