import type { Format, Policy } from '../generated/types.js'
import { History } from '../history/history.js'
import { prepare } from '../policy/prepared-policy.js'
import { listOf, withList } from './block-list.js'
import { sentOrder } from './sent-order.js'

/** A tool result that can be cleared. */
export interface Clearable {
  message: number
  /** Its position in the message's list of blocks; `null` if the message itself is the result. */
  part: number | null
}

/** The stub of the cheapest plan; policies' stubs are rarely shorter. */
const STUB = '[cleared]'

const EVERYTHING: Policy = {
  clear: {
    trigger: { type: 'input_tokens', value: 0 },
    keep: { type: 'tool_uses', value: 0 },
    clearErrors: true,
    placeholder: STUB,
  },
}

/**
 * The results of a session for which a stub is shorter, in their order, and the messages with some of them
 * cleared.
 */
export class Clearing {
  readonly results: readonly Clearable[]
  readonly #messages: readonly object[]
  readonly #cleared: readonly object[]

  constructor(messages: readonly object[], format: Format) {
    this.#messages = messages
    this.#cleared = clearedAlone(messages, format)
    this.results = messages.flatMap((message, at) => differences(message, this.cleared(at), at))
  }

  /** Returns the message with all its results cleared. */
  cleared(message: number): object {
    return this.#cleared[message] as object
  }

  /**
   * Returns what is sent of the message before a result, with all results cleared; `undefined` if it is the
   * first.
   */
  before({ message, part }: Clearable): object | undefined {
    const order = part === null ? undefined : sentOrder(this.cleared(message))
    const count = part === null ? 0 : (order?.before(part) ?? 0)
    return count === 0 ? undefined : order?.first(count)
  }

  /** Returns the message with all its results cleared except one. */
  showing(result: Clearable): object {
    return mixed(result.part, this.cleared(result.message), this.#original(result))
  }

  /** Returns the message with some of its results cleared. */
  without(message: number, results: readonly Clearable[]): object {
    return results.reduce<object>(
      (left, { part }) => mixed(part, left, this.cleared(message)),
      this.#messages[message] as object,
    )
  }

  #original({ message }: Clearable): object {
    return this.#messages[message] as object
  }
}

/**
 * Clears each message on its own, so that nothing protects its results: newer results and calls are absent.
 */
function clearedAlone(messages: readonly object[], format: Format): object[] {
  const policy = prepare(EVERYTHING)
  const session = new History(format)
  try {
    return messages.map((message) => session.view([message], policy, -1).messages[0] ?? message)
  } finally {
    session.free()
  }
}

function differences(message: object, cleared: object, at: number): Clearable[] {
  if (message === cleared) return []
  const [before, after] = [listOf(message), listOf(cleared)]
  if (before === undefined || after === undefined || before.length !== after.length)
    return [{ message: at, part: null }]
  return before.flatMap((block, part) => (block === after[part] ? [] : [{ message: at, part }]))
}

/** Returns `base` with one block of `other`. */
function mixed(part: number | null, base: object, other: object): object {
  if (part === null) return other
  return withList(base, (list) => list.map((block, at) => (at === part ? listOf(other)?.[at] : block)))
}
