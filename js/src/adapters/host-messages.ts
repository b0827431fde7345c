import { grouped } from '../base/lists.js'

/** The key of a converted object's place: spread into the copies that edits are made in, and no field to compare or count. */
const PLACE = Symbol('place')

/** What was converted and not edited since: an edit is made in a copy. */
const converted = new WeakSet<object>()

/** A converted object that knows where in the host's list it was. */
export function placed<T extends object>(place: number, object: T): T {
  converted.add(object)
  return Object.assign(object, { [PLACE]: place })
}

/** Where in the host's list a converted object, or an edited copy of it, was. */
export const placeOf = (object: object): number => (object as { [PLACE]: number })[PLACE]

export const isEdited = (object: object): boolean => !converted.has(object)

/** How a host's messages are those of a format. */
export interface Conversion<M extends object> {
  /** What a message is in the format: one message or several. */
  convert(message: M): object[]
  /** The host's message with the edits that were made of what it was converted to; some of it may be gone. */
  edit(message: M, view: readonly object[]): M
}

/** A host's messages as those of a format, and the way back: what was not edited goes back as the host's own object. */
export class HostMessages<M extends object> {
  readonly #conversion: Conversion<M>

  constructor(conversion: Conversion<M>) {
    this.#conversion = conversion
  }

  toFormat(messages: readonly M[]): object[] {
    return messages.flatMap((message, place) =>
      this.#conversion.convert(message).map((each) => placed(place, each)),
    )
  }

  /** The messages of a view; one of which nothing was left is left out. */
  toHost(messages: readonly M[], view: readonly object[]): M[] {
    return [...grouped(view, placeOf)].map(([place, some]) => {
      const message = messages[place] as M
      return some.some(isEdited) ? this.#conversion.edit(message, some) : message
    })
  }
}
