// Plugins, each with a session of n calls in its host's form.
import { trimtab as claudeAgent } from 'trimtab/claude-agent'
import { trimtab as cline } from 'trimtab/cline'
import { trimtab as copilot } from 'trimtab/copilot'
import { trimtab as opencode } from 'trimtab/opencode'
import { type PiApi, type PiContext, trimtab as pi } from 'trimtab/pi'
import { tool, z } from '../plugins/host-tools.js'
import type { Row } from './inputs.js'

const each = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const textOf = (i: number): string => `file ${i}\n`.repeat(50)
const inputOf = (i: number): object => ({ path: `src/f${i}.ts` })

const ofOpencode: Row = async (n) => {
  const hooks = await opencode(undefined, { tool })()
  const info = { role: 'assistant', sessionID: 's' }
  const parts = (i: number) => [
    {
      type: 'tool',
      callID: `c${i}`,
      tool: 'read',
      state: { status: 'completed', input: inputOf(i), output: textOf(i) },
    },
  ]
  const prompt = { info: { role: 'user', sessionID: 's' }, parts: [{ type: 'text', text: 'Go on.' }] }
  const messages = [prompt, ...each(n, (i) => ({ info, parts: parts(i) }))]
  return () => hooks['experimental.chat.messages.transform']({}, { messages: [...messages] })
}

/** Starts pi's plugin in a stand-in for pi. Returns what pi calls before each request. */
export function startPi(options?: Parameters<typeof pi>[0]): (messages: readonly object[]) => unknown {
  type Handler = (event: object, context: PiContext) => unknown
  let handler: Handler = () => undefined
  const host = {
    on: (event: string, given: Handler) => {
      if (event === 'context') handler = given
    },
    registerTool: () => {},
  }
  pi(options)(host as PiApi)
  const context = {
    sessionManager: { getSessionId: () => 's' },
    model: { id: 'm' },
    getSystemPrompt: () => 'Work.',
  }
  return (messages) => handler({ messages }, context)
}

const ofPi: Row = (n) => {
  const ask = startPi()
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }
  const use = (i: number) => [
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: `c${i}`, name: 'read', arguments: inputOf(i) }],
      usage,
    },
    {
      role: 'toolResult',
      toolCallId: `c${i}`,
      toolName: 'read',
      content: [{ type: 'text', text: textOf(i) }],
    },
  ]
  const messages = [{ role: 'user', content: 'Go on.' }, ...each(n, use).flat()]
  return () => ask(messages)
}

const ofCline: Row = (n) => {
  const { hooks } = cline().setup()
  const use = (i: number) => [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: `c${i}`, toolName: 'read', input: inputOf(i) }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: `c${i}`, toolName: 'read', output: textOf(i) }],
    },
  ]
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }, ...each(n, use).flat()]
  return () => hooks.beforeModel({ snapshot: { agentId: 'a' }, request: { messages, tools: [] } })
}

const ofClaudeAgent: Row = async (n) => {
  const [{ hooks }] = claudeAgent(undefined, { z }).hooks.PostToolUse
  const use = (i: number) =>
    hooks[0]({
      session_id: 's',
      tool_name: 'Bash',
      tool_use_id: `c${i}`,
      tool_input: inputOf(i),
      tool_response: textOf(i),
    })
  for (let i = 0; i < n; i++) await use(i)
  return () => use(n)
}

const ofCopilot: Row = (n) => {
  const { onPostToolUse } = copilot().hooks
  const use = (i: number) =>
    onPostToolUse(
      {
        sessionId: 's',
        toolName: 'bash',
        toolArgs: inputOf(i),
        toolResult: { textResultForLlm: textOf(i) },
      },
      { sessionId: 's' },
    )
  for (let i = 0; i < n; i++) use(i)
  return () => use(n)
}

export const PLUGIN_ROWS: Record<string, Record<string, Row>> = {
  'trimtab/opencode.trimtab': { input: ofOpencode },
  'trimtab/pi.trimtab': { input: ofPi },
  'trimtab/cline.trimtab': { input: ofCline },
  'trimtab/claude-agent.trimtab': { 'earlier results': ofClaudeAgent },
  'trimtab/copilot.trimtab': { 'earlier results': ofCopilot },
}
