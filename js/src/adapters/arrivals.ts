import { checkOptions, countFrom, readable, refuseWith } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { recallText } from '../history/recall.js'
import { Context } from '../projection/context.js'
import { answerRecallFrom } from './conversations.js'

/** Options of adapters that are asked once of each result. */
export interface ArrivalOptions {
  /** How many sessions are remembered: the one that rested longest is forgotten. Default 100. */
  maxSessions?: number
}

/** A result as its tool gave it. */
export interface Arrival {
  /** The session, whose originals `recall` gives back. */
  session: string
  /** Which agent of the session it is shown to. */
  agent?: string | undefined
  /** The id of the call, where the host says it: a pointer names it. */
  callId?: string | undefined
  tool: string
  input: unknown
  text: string
}

/** What one agent was shown since its host summarised last. */
interface Shown {
  agent: string | undefined
  context: Context
  history: object[]
}

/** The passes that decide when a result comes; all others come back to it later. */
export type ArrivalPass = 'clip' | 'dedupe'

const SETTINGS = ['protect', 'recall']
const MOST_SESSIONS = 100

/**
 * Results of hosts that let a result be changed once, before their model sees it: long output keeps its head and tail, and
 * what was shown before becomes a pointer. Originals stay here for `recall`.
 */
export class Arrivals implements Disposable {
  readonly #policy: Policy
  readonly #most: number
  /** By session; the one used last stands last. */
  readonly #sessions = new Map<string, Shown[]>()

  /** @param passes Those that the host has a place for; all of them where there is no policy. */
  constructor(policy: Policy | undefined, passes: readonly ArrivalPass[], options: ArrivalOptions = {}) {
    options = checkOptions(options, { maxSessions: countFrom(1) }, 'trimtab')
    const all = Object.fromEntries(passes.map((pass) => [pass, true]))
    this.#policy = readable('policy', () => ({ ...(policy ?? all), recall: true }), 'invalid_policy')
    this.#most = options.maxSessions ?? MOST_SESSIONS
    // A wrong policy is refused here, and not at the first result.
    new Context(this.#policy)[Symbol.dispose]()
    checkPasses(this.#policy, passes)
  }

  /** What the model is to be shown of a result; `undefined` where that is all of it. */
  show({ session, agent, callId, tool, input, text }: Arrival): string | undefined {
    const { context, history } = this.#shownTo(session, agent)
    const id = callId ?? `call_${history.length}`
    const call = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(input ?? {}) } }
    history.push({ role: 'assistant', content: null, tool_calls: [call] })
    history.push({ role: 'tool', tool_call_id: id, content: text })
    const { content } = context.project(history).messages.at(-1) as { content: string }
    return content === text ? undefined : content
  }

  /** Says that the host is to summarise what an agent was shown: no pointer leads there any more. */
  summarised(session: string, agent?: string): void {
    this.#begin(session, agent)
  }

  /** What a call of `recall` answers. */
  answerRecall(session: string | undefined, args: unknown): string {
    const histories = (this.#sessions.get(session ?? '') ?? []).map(({ history }) => history)
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

/** What would never do anything is refused, and not taken in silence. */
function checkPasses(policy: Policy, passes: readonly string[]): void {
  const on = Object.entries(policy).flatMap(([name, value]) =>
    value === null || value === false ? [] : [name],
  )
  const others = on.filter((name) => !passes.includes(name) && !SETTINGS.includes(name))
  if (others.length === 0 && on.some((name) => passes.includes(name))) return
  const why = 'a result can be changed once, before the model sees it'
  refuseWith('policy', `policy must have ${passes.join(' or ')} and no other pass: ${why}`, 'invalid_policy')
}
