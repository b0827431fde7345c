import { type NeutralHistory, readMessages } from 'trimtab'
import { planOf, type Step } from './commands.js'
import type { Model, ModelEvent, ModelRequest } from './model.js'
import { chunksOf } from './replay-session.js'

/** Waits a number of milliseconds between parts of an answer; rejects when `signal` is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>

const THINKING = 250
const CHUNK = { characters: 12, pause: 20 }

/**
 * Creates a model that needs no network: it understands plain commands and calls the tools for them. Its only memory is
 * the history.
 */
export function scriptedModel(wait: Wait): Model {
  return {
    format: 'openai-chat',
    async *answer({ messages, signal }: ModelRequest): AsyncGenerator<ModelEvent> {
      const step = nextStep(messages)
      await wait(THINKING, signal)
      for (const text of chunksOf(step.reasoning ?? '', CHUNK.characters)) {
        yield { type: 'reasoning', text }
        await wait(CHUNK.pause, signal)
      }
      for (const text of chunksOf(step.say ?? '', CHUNK.characters)) {
        yield { type: 'text', text }
        await wait(CHUNK.pause, signal)
      }
      yield { type: 'answer', messages: [messageOf(step, messages.length)] }
    },
  }
}

/**
 * Returns the next step of the plan: the number of answers since the user's last message is its index. Earlier messages
 * are not read: with 10,000 of them that would block the page.
 */
function nextStep(messages: readonly object[]): Step {
  const asked = messages.findLastIndex((message) => 'role' in message && message.role === 'user')
  const history = readMessages(messages.slice(Math.max(0, asked)), { format: 'openai-chat' })
  const plan = planOf(textOf(history, 0))
  const given = history.messages.filter(({ role }) => role === 'assistant').length
  const last = history.blocks().findLast(({ kind }) => kind === 'tool-result')
  const result = last === undefined ? '' : history.textOf(last)
  const isOver = given >= plan.length - 1
  if (isOver && given > 0 && (last?.isError === true || FAILED.test(result))) {
    return { say: `That did not work:\n\n> ${firstLine(result)}` }
  }
  const step = plan[Math.min(given, plan.length - 1)] ?? {}
  return typeof step === 'function' ? step(result) : step
}

function textOf(history: NeutralHistory, message: number): string {
  const blocks = history.messages[message]?.blocks ?? []
  return blocks.map((block) => history.textOf(block)).join('\n')
}

/** Matches a failed result by its text: the OpenAI format does not mark failures. */
const FAILED = /^Error: |\[exit code [1-9]\d*\]\s*$/

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

function messageOf({ reasoning, say = '', calls = [] }: Step, at: number): object {
  const tool_calls = calls.map(({ name, arguments: args }, index) => ({
    id: `call_${at}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return {
    role: 'assistant',
    content: say,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  }
}
