/**
 * Returns a function that makes a new message an instance of the class that messages of its type have in the history,
 * if they are instances: LangChain's functions refuse plain objects. The class is taken from the history, because
 * several versions of `@langchain/core` may be installed. Other messages are returned as they are.
 */
export function classesOf<M extends object>(history: readonly M[]): (plain: M) => M {
  const known = new Map<unknown, MessageClass<M> | undefined>()
  return (plain) => {
    const { type, ...fields } = plain as { type?: unknown }
    if (!ADDED.has(type)) return plain
    try {
      if (!known.has(type)) known.set(type, classIn(history, type))
      const Class = known.get(type)
      const made = Class && new Class(fields)
      return made !== undefined && typeOf(made) === type ? made : plain
    } catch {
      // A class of the host's own, which takes other arguments.
      return plain
    }
  }
}

type MessageClass<M> = new (fields: object) => M

/** Types of the messages that are added to a history: summaries, and missing results. */
const ADDED: ReadonlySet<unknown> = new Set(['human', 'tool'])

function classIn<M extends object>(history: readonly M[], type: unknown): MessageClass<M> | undefined {
  const instance = history.find((message) => message.constructor !== Object && typeOf(message) === type)
  return instance?.constructor as MessageClass<M> | undefined
}

/** The type of a message; of an instance before version 1, it is returned by a method. */
function typeOf(message: object): unknown {
  const { type, _getType } = message as { type?: unknown; _getType?: () => unknown }
  return type ?? _getType?.call(message)
}
