import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { WritableKind } from 'trimtab/transcripts'
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
              <span class="session-name" dir="auto">
                {entry.title}
              </span>
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

type Asked = 'name' | 'export' | 'delete'

/** What can be done with the open chat. What needs an answer takes the place of the buttons, and the focus. */
function Actions({ entry }: { entry: SessionEntry }) {
  const asked = useSignal<Asked | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const before = useRef<Asked | null>(null)
  const end = () => {
    asked.value = null
  }
  useLayoutEffect(() => {
    const from = before.current
    before.current = asked.value
    if (asked.value === from) return
    const next = asked.value === null ? `[data-asks="${from}"]` : '[data-first]'
    box.current?.querySelector<HTMLElement>(next)?.focus()
  }, [asked.value])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || asked.peek() === null) return
      // Escape also closes the sheet that the list is in.
      event.stopPropagation()
      end()
    }
    box.current?.addEventListener('keydown', onKey)
  }, [])
  return (
    <div ref={box}>
      <Asking entry={entry} asked={asked} onDone={end} />
    </div>
  )
}

interface AskingProps {
  readonly entry: SessionEntry
  readonly asked: Signal<Asked | null>
  onDone(): void
}

function Asking({ entry, asked, onDone }: AskingProps) {
  const ask = (what: Asked) => ({
    type: 'button' as const,
    class: 'link',
    'data-asks': what,
    onClick: () => {
      asked.value = what
    },
  })
  switch (asked.value) {
    case 'name':
      return <RenameForm title={entry.title} onDone={onDone} />
    case 'export':
      return <ExportForm onDone={onDone} />
    case 'delete':
      return (
        <p class="session-actions">
          Delete this chat?
          <button type="button" class="link" onClick={() => void removeSession(entry.id)}>
            Delete
          </button>
          <button type="button" class="link" data-first onClick={onDone}>
            Cancel
          </button>
        </p>
      )
    case null:
      return (
        <p class="session-actions">
          <button {...ask('name')}>Rename</button>
          <button {...ask('export')}>Export…</button>
          <button {...ask('delete')}>Delete…</button>
        </p>
      )
  }
}

function RenameForm({ title, onDone }: { title: string; onDone(): void }) {
  return (
    <form
      class="session-rename"
      onSubmit={(event) => {
        event.preventDefault()
        const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
        if (name !== '') renameChat(name)
        onDone()
      }}
    >
      <input
        name="name"
        data-first
        aria-label="Name of the chat"
        defaultValue={title}
        maxLength={200}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="submit" class="button small">
        Save
      </button>
    </form>
  )
}

/** Exports the messages as a file of a kind: messages in the format of the chat or another, or an agent's session. */
function ExportForm({ onDone }: { onDone(): void }) {
  const own = `${shown.value.conversation.format}-messages`
  return (
    <form
      class="session-rename"
      onSubmit={(event) => {
        event.preventDefault()
        void exportSession(String(new FormData(event.currentTarget).get('kind')) as WritableKind)
        onDone()
      }}
    >
      <div class="select-box">
        <select name="kind" data-first class="select" aria-label="Format of the file">
          {EXPORTS.map(({ title, kinds }) => (
            <optgroup key={title} label={title}>
              {Object.entries(kinds).map(([kind, name]) => (
                <option key={kind} value={kind} selected={kind === own}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <button type="submit" class="button small">
        Export
      </button>
    </form>
  )
}
