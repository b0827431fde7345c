import { Context, type Format, type MessageFacts, type Policy, type Projection } from 'trimtab'
import { Accounts, idleSince, type SentRequest } from './requests.js'

/** A recorded session with its facts. */
export interface ReadSession {
  readonly messages: readonly object[]
  readonly facts: readonly MessageFacts[]
  readonly format: Format
  readonly times?: readonly (number | null)[]
}

/**
 * A request of a recorded session: the index of the message that answered it, and the time of the answer in
 * milliseconds since 1970.
 */
interface RecordedRequest {
  readonly at: number
  readonly time: number
}

/**
 * Returns the requests of a session. An answer of several messages is one request. A session without times gets one
 * second per message.
 */
export function requestsIn(
  facts: readonly Pick<MessageFacts, 'role'>[],
  times?: readonly (number | null)[],
): RecordedRequest[] {
  return facts.flatMap(({ role }, at) =>
    role === 'assistant' && facts[at - 1]?.role !== 'assistant'
      ? [{ at, time: times?.[at] ?? at * 1000 }]
      : [],
  )
}

/** A computed request. Its view has the decisions so far, until the next one is computed. */
interface WorkedOut {
  readonly request: SentRequest
  readonly view: Projection<object>
}

/** Yields the requests of a recorded session under a policy, as if it were played. */
export function* recordedRequests(
  { messages, facts, format, times }: ReadSession,
  policy: Policy,
): Generator<WorkedOut, undefined> {
  const context = new Context(policy, { format })
  const accounts = new Accounts()
  try {
    let last: SentRequest | undefined
    for (const { at, time } of requestsIn(facts, times)) {
      const carried = messages.slice(0, at)
      const view = context.project(carried, { idle: idleSince(last, time) })
      last = accounts.next({ view, messages: carried, facts, time })
      yield { request: last, view }
    }
  } finally {
    context[Symbol.dispose]()
  }
}
