import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Format } from 'trimtab'
import { EXPORTS } from '../agent/export-names.js'
import { foundIn } from '../search/found-in.js'
import { searchChats } from '../search/searching.js'
import { type SessionEntry, sessions } from '../session-index.js'
import { exportSession, openSession, removeSession } from '../sessions.js'
import { renameChat, replay, shown } from '../state.js'
import { viewed } from '../viewed.js'
import { FoundList } from './found-list.js'
import { Icon } from './icons.js'
import { SearchField } from './search-field.js'

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Number of conversations from which the list has a search field. */
const SEARCHED = 2

/** The stored conversations; the open one can be renamed, exported and deleted. */
export function SessionList({ onDone }: { onDone(): void }) {
  const text = useSignal('')
  const all = sessions.value
  const wanted = text.value.trim()
  const found = wanted === '' ? all : all.filter(({ title }) => foundIn(title, wanted) !== null)
  useEffect(() => searchChats(wanted), [wanted])
  if (all.length === 0) return null
  const current = replay.value === null ? (viewed.value?.chat ?? shown.value.conversation.id) : ''
  return (
    <div class="session-list">
      <h2>Chats</h2>
      {all.length < SEARCHED ? null : <SearchField text={text} placeholder="Search…" label="Search chats" />}
      <ul>
        {found.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              class="side-button session-button"
              aria-current={entry.id === current ? 'true' : undefined}
              title={`${entry.title}\n${when.format(entry.updated)}`}
              onClick={() => {
                if (entry.id !== current || viewed.peek() !== null) void openSession(entry.id)
                onDone()
              }}
            >
              {entry.origin === undefined ? null : <Icon name="branch" size={14} />}
              <span class="session-name">{entry.title}</span>
            </button>
            {entry.id === current && viewed.value === null ? <Actions entry={entry} /> : null}
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p class="quiet found-state">No title matches.</p> : null}
      {wanted === '' ? null : <FoundList chats={all} onDone={onDone} />}
    </div>
  )
}

function Actions({ entry }: { entry: SessionEntry }) {
  const asked = useSignal<'name' | 'export' | 'delete' | null>(null)
  const end = () => {
    asked.value = null
  }
  if (asked.value === 'name')
    return (
      <form
        class="session-rename"
        onSubmit={(event) => {
          event.preventDefault()
          const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
          if (name !== '') renameChat(name)
          end()
        }}
      >
        <input name="name" aria-label="Name of the chat" defaultValue={entry.title} maxLength={120} />
        <button type="submit" class="button small">
          Save
        </button>
      </form>
    )
  if (asked.value === 'export') return <ExportForm onDone={end} />
  return asked.value === 'delete' ? (
    <p class="session-actions">
      Delete this chat?
      <button type="button" class="link" onClick={() => void removeSession(entry.id)}>
        Delete
      </button>
      <button type="button" class="link" onClick={end}>
        Cancel
      </button>
    </p>
  ) : (
    <p class="session-actions">
      <button type="button" class="link" onClick={() => (asked.value = 'name')}>
        Rename
      </button>
      <button type="button" class="link" onClick={() => (asked.value = 'export')}>
        Export…
      </button>
      <button type="button" class="link" onClick={() => (asked.value = 'delete')}>
        Delete…
      </button>
    </p>
  )
}

/** Exports the messages as a file, in the format of the chat or another. */
function ExportForm({ onDone }: { onDone(): void }) {
  const own = shown.value.conversation.format
  return (
    <form
      class="session-rename"
      onSubmit={(event) => {
        event.preventDefault()
        void exportSession(String(new FormData(event.currentTarget).get('format')) as Format)
        onDone()
      }}
    >
      <div class="select-box">
        <select name="format" class="select" aria-label="Format of the file">
          {(Object.keys(EXPORTS) as Format[]).map((format) => (
            <option key={format} value={format} selected={format === own}>
              {EXPORTS[format]}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="button small">
        Export
      </button>
    </form>
  )
}
