import type { Hit } from '../search/chats.js'
import { found } from '../search/searching.js'
import type { SessionEntry } from '../session-index.js'
import { openSession } from '../sessions.js'

interface Props {
  readonly chats: readonly SessionEntry[]
  onDone(): void
}

/** Places found in messages, as links to them. */
export function FoundList({ chats, onDone }: Props) {
  const { hits, isDone, failure } = found.value
  const groups = chats
    .map((chat) => ({ chat, places: hits.filter((hit) => hit.chat === chat.id) }))
    .filter(({ places }) => places.length > 0)
  const progress = isDone ? (groups.length === 0 ? 'Nothing in messages.' : '') : 'Searching messages…'
  return (
    <>
      {groups.length === 0 ? null : (
        <section class="found-list" aria-label="Found in messages">
          <h2>In messages</h2>
          <ul>
            {groups.map(({ chat, places }) => (
              <li key={chat.id}>
                <p class="found-chat" dir="auto">
                  {chat.title}
                </p>
                {places.map((hit) => (
                  <button
                    key={`${hit.segment} ${hit.message} ${hit.block}`}
                    type="button"
                    class="side-button found-place"
                    onClick={() => {
                      void goTo(hit, found.peek().text)
                      onDone()
                    }}
                  >
                    <bdi>
                      {hit.snippet.before}
                      <mark>{hit.snippet.found}</mark>
                      {hit.snippet.behind}
                    </bdi>
                  </button>
                ))}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="quiet found-state" role="status">
        {failure === null ? progress : `Messages could not be searched: ${failure}`}
      </p>
    </>
  )
}

async function goTo({ chat, segment, message, block }: Hit, text: string): Promise<void> {
  const place = { message, block, text }
  if (segment === null) return openSession(chat, place)
  await openSession(chat)
  const { openSegment } = await import('../compaction.js')
  await openSegment(segment, place)
}
