import { grouped } from '../base/lists.js'

/**
 * The key of a converted object's position. As a symbol it is copied into edited copies, but is not compared
 * or counted as a field.
 */
const PLACE = Symbol('place')

/** Converted objects without edits: an edit is made in a copy. */
const converted = new WeakSet<object>()

/** Marks a converted object with its position in the host's list. */
export function placed<T extends object>(place: number, object: T): T {
  converted.add(object)
  return Object.assign(object, { [PLACE]: place })
}

/** The position in the host's list of a converted object, or of an edited copy of it. */
export const placeOf = (object: object): number => (object as { [PLACE]: number })[PLACE]

export const isEdited = (object: object): boolean => !converted.has(object)

/** Conversion of a host's messages to a format. */
export interface Conversion<M extends object> {
  /** Converts a message to one or several messages of the format. */
  convert(message: M): object[]
  /**
   * Applies the edits of the converted messages to the host's message; some of them may have been removed.
   */
  edit(message: M, view: readonly object[]): M
}

/**
 * Converts a host's messages to a format and back. Unedited messages are returned as the host's own objects.
 */
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

  /** Converts the messages of a view. A message of which nothing is left is omitted. */
  toHost(messages: readonly M[], view: readonly object[]): M[] {
    return [...grouped(view, placeOf)].map(([place, some]) => {
      const message = messages[place] as M
      return some.some(isEdited) ? this.#conversion.edit(message, some) : message
    })
  }
}
