import type { Codec } from './codec.js'
import type { Losses } from './lost.js'
import { type Call, callsIn, type Message, NO_ID, placeOf, type Result } from './neutral.js'

/**
 * Gives every call an id that the target accepts and that is unique in the conversation, and the same id to
 * its result. A call without an id gets one derived from its position.
 */
export function assignIds(messages: readonly Message[], { cleanId }: Codec, losses: Losses): Message[] {
  const clean = cleanId ?? ((id: string) => id)
  const ids = new Ids(messages.flatMap(callsIn).map(({ id }) => (isNone(id) ? '' : clean(id))))
  return messages.map((message) => {
    const renamed = new Map<Call, Call>()
    callsIn(message).forEach((call, position) => {
      const wanted = isNone(call.id) ? undefined : clean(call.id)
      const id = wanted === undefined ? ids.made(`call_${message.at}_${position}`) : ids.own(wanted)
      if (wanted !== undefined && id !== call.id)
        losses.add(placeOf(call, message), 'id of a call (now another one)')
      renamed.set(call, { ...call, id })
    })
    const blocks = message.blocks.map((block) =>
      block.kind === 'call' ? (renamed.get(block) ?? block) : block,
    )
    const results = message.results.map((result) => withCall(result, renamed, clean))
    return { ...message, blocks, results }
  })
}

function isNone(id: string): boolean {
  return id === '' || id.startsWith(NO_ID)
}

function withCall(result: Result, renamed: Map<Call, Call>, clean: (id: string) => string): Result {
  const call = result.call === undefined ? undefined : renamed.get(result.call)
  return call === undefined
    ? { ...result, callId: isNone(result.callId) ? 'call' : clean(result.callId) }
    : { ...result, call, callId: call.id, name: call.name }
}

class Ids {
  readonly #reserved: Set<string>
  readonly #used = new Set<string>()
  readonly #uses = new Map<string, number>()

  constructor(own: readonly string[]) {
    this.#reserved = new Set(own)
  }

  /** The first call with an id keeps it; later ones get a new one. */
  own(id: string): string {
    return this.#used.has(id) ? this.made(id) : this.#use(id)
  }

  made(stem: string): string {
    let id = stem
    let uses = this.#uses.get(stem) ?? 1
    while (this.#used.has(id) || this.#reserved.has(id)) {
      uses += 1
      id = `${stem}_${uses}`
    }
    this.#uses.set(stem, uses)
    return this.#use(id)
  }

  #use(id: string): string {
    this.#used.add(id)
    return id
  }
}
