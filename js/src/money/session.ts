import type { Format } from '../generated/types.js'
import { History } from '../history/history.js'
import { NeutralHistory } from '../history/read-messages.js'
import type { MessageCounter } from '../tokens/message-counter.js'
import { countBelow, type Evidence, findEvidence } from './evidence.js'
import { messageText } from './message-text.js'
import { Sizes } from './sizes.js'
import { searchFor } from './text-search.js'
import { cutTurns } from './turns.js'

/** A session prepared for replays: its content, sizes, and what each step needed. */
export interface Recorded {
  format: Format
  /** The messages; a message with several steps is cut into one for each. */
  messages: readonly object[]
  /** For each of `messages` the position of its message in the session. */
  places: readonly number[]
  /** Positions of the messages for which the model was called: those that begin a step. */
  requests: readonly number[]
  /** The evidence of the answers, by request. */
  evidence: readonly Evidence[][]
  sizes: Sizes
  /** The position of one of `messages`; `undefined` for a message made for a view. */
  placeOf(message: object): number | undefined
  /** The text of a message made for a view. */
  textOf(message: object): string
  /** The texts of evidence that a message made for a view contains. */
  evidenceIn(message: object): ReadonlySet<string>
}

export function record(
  messages: readonly object[],
  format: Format | undefined,
  counter: MessageCounter | undefined,
): Recorded {
  const session = new History(format)
  const whole = new NeutralHistory(session, messages)
  const known = whole.format
  const { messages: cut, places: origins } = cutTurns(messages, known)
  const history = cut.length === messages.length ? whole : new NeutralHistory(session, cut)
  messages = cut
  const sizes = new Sizes(known, counter)
  sizes.add(messages, history.blocks())
  const texts = messages.map((_, at) => messageText(history, at))
  // The positions where a step begins, as the engine counts steps.
  const steps = history.messages.map(({ step }) => step)
  const requests = [...steps.keys()].filter((at) => (steps[at] as number) > (steps[at - 1] ?? 0))
  const evidence = findEvidence(history, texts)
  session.free()
  const places = new Map(messages.map((message, place) => [message, place]))
  const placeOf = (message: object) => places.get(message)
  const textOf = remembered((message) => messageText(new NeutralHistory(sizes.history, [message]), 0))
  const search = searchFor(evidence.map(({ text }) => text))
  return {
    format: known,
    messages,
    places: origins,
    requests,
    evidence: byRequest(requests, evidence),
    sizes,
    placeOf,
    textOf,
    evidenceIn: remembered((message) => search(textOf(message))),
  }
}

function byRequest(requests: readonly number[], evidence: readonly Evidence[]): Evidence[][] {
  const lists = requests.map((): Evidence[] => [])
  let request = 0
  for (const item of evidence) {
    while (request + 1 < requests.length && (requests[request + 1] as number) <= item.message) request++
    // Content added within the step (a message can contain a whole turn) was not yet there at the request.
    const count = Math.min(item.count, countBelow(item.holders, requests[request] as number))
    if (count > 0) lists[request]?.push({ ...item, count })
  }
  return lists
}

/** A function of a message that is computed once for each message. */
function remembered<T extends object | string>(compute: (message: object) => T): (message: object) => T {
  const known = new WeakMap<object, T>()
  return (message) => {
    const value = known.get(message) ?? compute(message)
    known.set(message, value)
    return value
  }
}
