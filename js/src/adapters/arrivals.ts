import { checkJson, checkOptions, checkText, countFrom, readable, refuseWith } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { recallText } from '../history/recall.js'
import { Context } from '../projection/context.js'
import { answerRecallFrom } from './conversations.js'

/** Options of adapters that are called once for each result. */
export interface ArrivalOptions {
  /** Number of sessions to keep; the least recently used one is dropped. Default 100. */
  maxSessions?: number | undefined
}

/** A tool's result. */
export interface Arrival {
  /** The session, in which `recall` finds the originals. */
  session: string
  /** The agent of the session that sees the result. */
  agent?: string | undefined
  /** The id of the call, if the host has it; pointers refer to it. */
  callId?: string | undefined
  tool: string
  input: unknown
  text: string
}

/** What one agent has seen since the host's last summary. */
interface Shown {
  agent: string | undefined
  context: Context
  history: object[]
}

/** The passes that decide when a result arrives; all others edit it later. */
export type ArrivalPass = 'clip' | 'dedupe'

const SETTINGS = ['protect', 'recall']
const MOST_SESSIONS = 100

/**
 * Results of hosts that allow one change of a result, before their model sees it. Long output is cut to its
 * head and tail, and repeated output becomes a pointer. The originals are kept for `recall`.
 */
export class Arrivals implements Disposable {
  readonly #policy: Policy
  readonly #most: number
  /** By session; the most recently used one is last. */
  readonly #sessions = new Map<string, Shown[]>()

  /** @param passes The passes that the host supports. Without a policy all of them run. */
  constructor(policy: Policy | undefined, passes: readonly ArrivalPass[], options: ArrivalOptions = {}) {
    options = checkOptions(options, { maxSessions: countFrom(1) }, 'trimtab')
    const all = Object.fromEntries(passes.map((pass) => [pass, true]))
    this.#policy = readable('policy', () => ({ ...(policy ?? all), recall: true }), 'invalid_policy')
    this.#most = options.maxSessions ?? MOST_SESSIONS
    // Rejects an invalid policy now instead of at the first result.
    new Context(this.#policy)[Symbol.dispose]()
    checkPasses(this.#policy, passes)
  }

  /** Returns what to show the model of a result; `undefined` if it is unchanged. */
  show({ session, agent, callId, tool, input, text }: Arrival): string | undefined {
    checkText('result', text)
    const given = checkJson('input', input ?? {})
    const { context, history } = this.#shownTo(session, agent)
    const id = callId ?? `call_${history.length}`
    const call = { id, type: 'function', function: { name: tool, arguments: given } }
    history.push({ role: 'assistant', content: null, tool_calls: [call] })
    history.push({ role: 'tool', tool_call_id: id, content: text })
    const { content } = context.project(history).messages.at(-1) as { content: string }
    return content === text ? undefined : content
  }

  /** Records that the host summarises what an agent has seen: no later pointer refers to it. */
  summarised(session: string, agent?: string): void {
    this.#begin(session, agent)
  }

  /** Answers a call of `recall`. */
  answerRecall(session: string | undefined, args: unknown): string {
    const newestFirst = (this.#sessions.get(session ?? '') ?? []).toReversed()
    const histories = newestFirst.map(({ history }) => history)
    return recallText(answerRecallFrom(histories, args))
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions.keys()) this.#forget(session)
  }

  #shownTo(session: string, agent: string | undefined): Shown {
    const known = this.#sessionOf(session).findLast((one) => one.agent === agent)
    return known ?? this.#begin(session, agent)
  }

  #begin(session: string, agent: string | undefined): Shown {
    const context = new Context(this.#policy, { format: 'openai-chat' })
    const shown: Shown = { agent, context, history: [{ role: 'user', content: 'Go on.' }] }
    this.#sessionOf(session).push(shown)
    return shown
  }

  #sessionOf(session: string): Shown[] {
    const known = this.#sessions.get(session) ?? []
    this.#sessions.delete(session)
    this.#sessions.set(session, known)
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > this.#most && oldest !== undefined) this.#forget(oldest)
    return known
  }

  #forget(session: string): void {
    for (const { context } of this.#sessions.get(session) ?? []) context[Symbol.dispose]()
    this.#sessions.delete(session)
  }
}

/** Rejects passes that would have no effect. */
function checkPasses(policy: Policy, passes: readonly string[]): void {
  const on = Object.entries(policy).flatMap(([name, value]) =>
    value === null || value === false ? [] : [name],
  )
  const others = on.filter((name) => !passes.includes(name) && !SETTINGS.includes(name))
  if (others.length === 0 && on.some((name) => passes.includes(name))) return
  const why = 'a result can be changed once, before the model sees it'
  refuseWith('policy', `policy must have ${passes.join(' or ')} and no other pass: ${why}`, 'invalid_policy')
}
