import {
  openToolCalls,
  runToolCall,
  type Tool,
  type ToolCall,
  toolResultMessages,
  withoutMetadata,
} from 'trimtab/tools'
import { answered } from './answered.js'
import type { Conversation } from './conversation.js'
import { type Model, ModelError, type ModelEvent, type ModelRequest } from './model.js'
import { answerInOther } from './other-format.js'
import { reasonOf } from './reason.js'

export interface Agent {
  readonly model: Model
  readonly tools: readonly Tool[]
  /** The system prompt. */
  readonly system?: string
  readonly signal: AbortSignal
  /**
   * Called before each tool call. Returns the reason for refusing it, which is passed to the model, or `null` to run
   * it.
   */
  refusal?(call: ToolCall): Promise<string | null>
  /** Milliseconds since 1970. */
  now(): number
}

/** Runs the model until it answers without a call. After any error the history stays valid for the provider. */
export async function runTurn(conversation: Conversation, agent: Agent): Promise<void> {
  try {
    while (await step(conversation, agent));
    await conversation.endTurn()
  } catch (error) {
    if (agent.signal.aborted) conversation.stop(agent.now())
    else conversation.fail(reasonOf(error), retryAt(error, agent.now()))
  } finally {
    conversation.doing(null)
  }
}

/** Returns the time from which the provider takes the request again; `null` if it names none. */
const retryAt = (error: unknown, now: number): number | null =>
  error instanceof ModelError && error.wait > 0 ? now + error.wait * 1000 : null

const CUT = 'The answer reached its token limit before the model said anything.'

/** Runs one request with its answer and the results of its calls; returns `false` when the turn is over. */
async function step(conversation: Conversation, agent: Agent): Promise<boolean> {
  const { model, tools, system = '', signal } = agent
  signal.throwIfAborted()
  const { format } = conversation
  conversation.doing('Thinking')
  const view = await conversation.request(agent.now(), model.overhead?.({ system, tools }))
  signal.throwIfAborted()
  const messages = bare(view, format)
  let answer: readonly object[] = []
  let isCut = false
  const repair = conversation.history().hasOpenCalls ? answered : asIs
  for await (const event of answerIn(format, model, { messages, system, tools, signal }, repair)) {
    signal.throwIfAborted()
    conversation.receive(event)
    if (event.type !== 'answer') continue
    answer = event.messages
    isCut = event.isCut === true
  }
  if (answer.length === 0)
    throw new ModelError(isCut ? CUT : 'The model ended its answer without saying anything.')
  const calls = openToolCalls(answer, { format })
  if (calls.length === 0) return false
  await answerCalls(conversation, calls, agent)
  signal.throwIfAborted()
  return true
}

/**
 * Returns the view without the package's own metadata. Only messages that have metadata are read: there may be 10,000.
 */
const bare = (view: readonly object[], format: Conversation['format']): object[] =>
  view.flatMap((message) => ('metadata' in message ? withoutMetadata([message], { format }) : [message]))

const asIs = (messages: readonly object[]) => messages

/** Streams the model's answer in the format of the conversation. */
function answerIn(
  format: Conversation['format'],
  model: Model,
  request: ModelRequest,
  repair: (messages: readonly object[], format: Conversation['format']) => readonly object[],
): AsyncIterable<ModelEvent> {
  if (model.format !== format) return answerInOther(format, model, request, repair)
  return model.answer({ ...request, messages: repair(request.messages, format) })
}

const STOPPED = 'stopped by the user.'

/**
 * Runs the calls one after the other, and adds each result to the history when it is there: a call that has changed
 * something must not look as if it had not run, whatever happens to the ones after it. A stopped or refused call also
 * gets a result: providers require one.
 */
async function answerCalls(
  conversation: Conversation,
  calls: readonly ToolCall[],
  agent: Agent,
): Promise<void> {
  const { tools, signal } = agent
  const { format } = conversation
  const from = conversation.messages.length
  const answers = []
  for (const call of calls) {
    conversation.doing(`Running ${call.name}`)
    // A call of a tool that does not exist does nothing: there is nothing to refuse.
    const isKnown = tools.some(({ name }) => name === call.name)
    const refusal = signal.aborted ? STOPPED : (isKnown && (await agent.refusal?.(call))) || null
    // The user may have stopped the work instead of answering.
    const why = signal.aborted ? STOPPED : refusal
    const result =
      why === null
        ? await runToolCall(tools, call, { signal })
        : { content: `Error: ${why}`, isError: true, ephemeral: false }
    answers.push({ call, result })
    const results = toolResultMessages(answers, { format })
    // Some formats have all results in one message, which is replaced; others add one, and the rest stay as they are.
    if (results.length === answers.length) conversation.append(results.slice(-1))
    else conversation.append(results, from)
  }
}
