/** The chat that another one branched from. Both start with the same messages. */
export interface Origin {
  /** Id of that chat. */
  readonly chat: string
  /** Number of shared messages; the next message differs. */
  readonly message: number
  /** Time of the branch, in milliseconds since 1970. */
  readonly made: number
}

/** A chat with its origin. */
export interface Member {
  readonly id: string
  readonly origin?: Origin | undefined
}

/** Chats that differ from one message on. */
export interface Variants {
  /** Index of the first message that differs. */
  readonly message: number
  /** Ids: the original chat first, then its branches, oldest first. */
  readonly chats: readonly string[]
  /** Index of the open chat in `chats`. */
  readonly shown: number
}

/** Returns the places where a chat has branches, in order of messages. Chats that are not in `all` are left out. */
export function variantsOf(chat: Member, all: readonly Member[]): Variants[] {
  const known = new Map(all.map((one) => [one.id, one]))
  known.set(chat.id, chat)
  const messages = new Set([...known.values()].flatMap(({ origin }) => origin?.message ?? []))
  return [...messages]
    .sort((one, other) => one - other)
    .flatMap((message) => {
      const first = climb(chat.id, known, (origin) => message <= origin.message)
      const own = climb(chat.id, known, (origin) => message < origin.message)
      const later = [...known.values()]
        .filter(({ id, origin }) => {
          if (origin?.message !== message) return false
          return climb(id, known, (one) => message <= one.message) === first
        })
        .sort((one, other) => (one.origin?.made ?? 0) - (other.origin?.made ?? 0))
      const chats = [...(known.has(first) ? [first] : []), ...later.map(({ id }) => id)]
      const shown = chats.indexOf(own)
      return chats.length < 2 || shown === -1 ? [] : [{ message, chats, shown }]
    })
}

/** Follows origins from a chat, as long as the message is shared. Returns an id, which `known` may not have. */
function climb(
  id: string,
  known: ReadonlyMap<string, Member>,
  isShared: (origin: Origin) => boolean,
): string {
  const seen = new Set<string>()
  for (let at = id; ; ) {
    const origin = known.get(at)?.origin
    if (origin === undefined || seen.has(at) || !isShared(origin)) return at
    seen.add(at)
    at = origin.chat
  }
}
