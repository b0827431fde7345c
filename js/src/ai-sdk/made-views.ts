/** A view, and the messages that it was made of. */
interface MadeView {
  view: readonly object[]
  history: readonly object[]
}

/** Where the original of a message of a view is: at a place of its history, or up to `removed` messages behind it. */
interface Place {
  history: readonly object[]
  at: number
  removed: number
}

/**
 * The messages that views were made of. AI SDK 7 passes the view of a step to the next step and to tools, as the same
 * objects. Conversations know only their last view, which may be that of another run with the same beginning.
 */
export class MadeViews {
  /** The last view of each run. */
  readonly #runs = new WeakMap<object, MadeView>()
  /** For each message that was made for a view. */
  readonly #places = new WeakMap<object, Place>()

  /** @param run An object of the run's own, if the view is that of a step. */
  add({ view, history }: MadeView, run?: object): void {
    if (run !== undefined) this.#runs.set(run, { view, history })
    const own = new Set(history)
    const removed = history.length - view.length
    view.forEach((message, at) => {
      if (!own.has(message)) this.#places.set(message, { history, at, removed })
    })
  }

  /** Returns the messages of a run's next step, with what its last view was made of in place of the view. */
  nextOf<M extends object>(messages: readonly M[], run: object | undefined): readonly M[] {
    const { view = [], history = [] } = (run && this.#runs.get(run)) ?? {}
    const isNext = view.every((message, at) => message === messages[at])
    return isNext ? [...(history as readonly M[]), ...messages.slice(view.length)] : messages
  }

  /** Returns messages with the originals of those that were made for a view. No other conversation has a part in it. */
  originalsOf(messages: readonly object[]): object[] {
    // Of each history, what was taken already.
    const taken = new Map<readonly object[], number>()
    const originals = messages.flatMap((message) => {
      const place = this.#places.get(message)
      if (place === undefined) return [message]
      const { history, at, removed } = place
      const from = Math.max(at, taken.get(history) ?? 0)
      taken.set(history, at + removed + 1)
      return history.slice(from, at + removed + 1)
    })
    return [...new Set(originals)]
  }
}
