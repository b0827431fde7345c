import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { asked } from '../approval.js'
import { notice, opening } from '../opening.js'
import { activity, context, failure, openFile, past, replay } from '../state.js'
import { viewed } from '../viewed.js'
import { wishOf } from './approval.js'
import { Brand } from './brand.js'
import { Composer } from './composer.js'
import { ContextPanel } from './context-panel.js'
import { DropZones } from './drop-zones.js'
import { Header } from './header.js'
import { Icon } from './icons.js'
import { isNarrow } from './narrow.js'
import { NewVersion } from './new-version.js'
import { PastRequest } from './past-request.js'
import { SegmentBar } from './segments.js'
import { Sidebar } from './sidebar.js'
import { Thread } from './thread.js'
import { isFirstMessage } from './thread-rows.js'
import { Transport } from './transport.js'

/** The whole page. On narrow screens the session list and the context panel are sheets over the thread. */
export function App() {
  const sheet = useSignal<'chats' | 'context' | null>(null)
  const file = useRef<HTMLInputElement>(null)
  const choose = () => file.current?.click()
  const opener = useRef<HTMLElement | null>(null)
  const open = (which: 'chats' | 'context') => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    sheet.value = sheet.value === which ? null : which
  }
  const close = () => {
    sheet.value = null
  }
  // Move the focus to the opened sheet, and back: not before the thread below it can have it again.
  useEffect(() => {
    if (sheet.value === null) opener.current?.focus()
    else document.querySelector<HTMLElement>(`.sheet-${sheet.value} .plain-button`)?.focus()
  }, [sheet.value])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div class="app" data-sheet={sheet.value ?? 'none'}>
      <SkipLink />
      <nav class="sheet sheet-chats" aria-label="Chats">
        <SheetHead name="chats" onClose={close}>
          <Brand />
        </SheetHead>
        <Sidebar onOpen={choose} onDone={close} />
      </nav>
      <main class="chat" data-empty={isFirstMessage.value} inert={isNarrow.value && sheet.value !== null}>
        <Header
          onChats={() => open('chats')}
          onContext={() => open('context')}
          isContextOpen={sheet.value === 'context'}
        />
        <div class="notices">
          {notice.value === null ? null : <Notice text={notice.value} />}
          <Opening />
          <NewVersion />
        </div>
        <Thread onOpen={choose} />
        <Below />
      </main>
      <aside class="sheet sheet-context" aria-label="Context">
        <SheetHead name="context" onClose={close}>
          <h2 class="sheet-title">Context</h2>
        </SheetHead>
        <ContextPanel />
      </aside>
      {sheet.value === null ? null : (
        <button type="button" class="veil" aria-label="Close the sheet" tabIndex={-1} onClick={close} />
      )}
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Session file"
        onChange={(event) => {
          const input = event.currentTarget
          const chosen = input.files?.[0]
          if (chosen !== undefined) void openFile(chosen)
          // Without this, choosing the same file again fires no change event.
          input.value = ''
        }}
      />
      <Announcer />
      <DropZones />
    </div>
  )
}

function SkipLink() {
  const [target, name] =
    past.value !== null
      ? ['past-request', 'request']
      : viewed.value !== null
        ? ['segment', 'segment']
        : replay.value === null
          ? ['composer', 'composer']
          : ['transport', 'replay']
  return (
    <a class="skip" href={`#${target}`}>
      Skip to the {name}
    </a>
  )
}

/** The bar below the thread: composer, replay controls, past request, or segment. */
function Below() {
  if (past.value !== null) return <PastRequest />
  if (viewed.value !== null) return <SegmentBar />
  return replay.value === null ? <Composer /> : <Transport />
}

interface SheetHeadProps {
  readonly name: string
  onClose(): void
  readonly children: ComponentChildren
}

function SheetHead({ name, onClose, children }: SheetHeadProps) {
  return (
    <div class="sheet-head">
      {children}
      <button type="button" class="plain-button" aria-label={`Close ${name}`} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  )
}

function Notice({ text }: { text: string }) {
  return (
    <div class="notice" role="alert">
      <p>{text}</p>
      <button
        type="button"
        class="plain-button"
        aria-label="Dismiss"
        onClick={() => {
          notice.value = null
        }}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}

/** Progress of opening a file or a chat. */
function Opening() {
  const now = opening.value
  if (now === null) return null
  const percent = now.done === null ? undefined : Math.floor(now.done * 100)
  return (
    <div class="opening">
      <label>
        <span class="opening-words">
          <span>
            Opening <bdi>{now.name}</bdi>
          </span>
          {percent === undefined ? null : <span>{percent}%</span>}
        </span>
        <progress max={100} {...(percent === undefined ? {} : { value: percent })} />
      </label>
      <button type="button" class="button small" onClick={now.cancel}>
        Cancel
      </button>
    </div>
  )
}

/** Status messages for screen readers. */
function Announcer() {
  const trims = context.value.trims.length
  const hasWorked = useRef(false)
  hasWorked.current ||= activity.value !== null
  const atRest = hasWorked.current && failure.value === null ? 'Done.' : ''
  return (
    <p class="visually-hidden" role="status">
      {asked.value === null ? (activity.value ?? atRest) : `${wishOf(asked.value.call)} Allow it?`}
      {trims === 0 ? '' : ` Trimmed ${trims === 1 ? 'once' : `${trims} times`}.`}
    </p>
  )
}
