import { Context, type Format, type MessageFacts, type Policy, type Projection } from 'trimtab'
import { Accounts, idleSince, type SentRequest } from './requests.js'

/** A recorded session that was read. */
export interface ReadSession {
  readonly messages: readonly object[]
  readonly facts: readonly MessageFacts[]
  readonly format: Format
  readonly times?: readonly (number | null)[]
}

/** A request of a recorded session: the message that answered it, and when that came, in milliseconds since 1970. */
interface RecordedRequest {
  readonly at: number
  readonly time: number
}

/** The requests of a session. An answer of several messages is one request; a session without times has a second for each message. */
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

/** A request that was worked out; its view says what was decided so far, until the next one is worked out. */
interface WorkedOut {
  readonly request: SentRequest
  readonly view: Projection<object>
}

/** The requests of a recorded session under a policy, as they would be were it played. */
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
