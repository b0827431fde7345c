import { useSignal, useSignalEffect } from '@preact/signals'
import type { VNode } from 'preact'
import { memo } from 'preact/compat'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { readAddress, writeAddress } from '../address.js'
import type { Row } from '../agent/thread.js'
import { asked } from '../approval.js'
import { place } from '../place.js'
import {
  activity,
  draft,
  failure,
  isOpenEnded,
  past,
  playSample,
  retry,
  type Shown,
  shown,
} from '../state.js'
import { Approval } from './approval.js'
import { Icon } from './icons.js'
import { LongText } from './long-text.js'
import { Markdown } from './markdown.js'
import { entryIn, placeIn, scrollToPlace } from './place.js'
import { ToolCard } from './tool-card.js'
import { TrimRow } from './trim-row.js'
import { UserRow } from './user-row.js'

/** Rows that are in the page at first; earlier ones come when they are asked for. */
const ROWS = 120
/** How long a row that was looked for stands out, in milliseconds. */
const FOUND = 2500

/** How long the thread must rest before its place goes to the address, in milliseconds. */
const REST = 250

export function Thread({ onOpen }: { onOpen(): void }) {
  const area = useRef<HTMLDivElement>(null)
  const isAtEnd = useSignal(true)
  const limit = useSignal(ROWS)
  /** The entry of the address, which stays where it is until the user moves. */
  const sought = useRef('')
  /** Where the thread was at the last scroll. */
  const scrolled = useRef(0)
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const now = shown.value
  const { rows, conversation } = now
  const first = Math.max(0, rows.length - limit.value)
  const toEnd = () => {
    const element = area.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }
  useEffect(() => {
    // A chat of the address is opened where it was read; the last entries are there in any case.
    const { at } = readAddress()
    const index = at === '' ? -1 : rows.findIndex((row) => row.key === at)
    limit.value = index === -1 ? ROWS : Math.max(ROWS, rows.length - index + ROWS / 2)
    isAtEnd.value = index === -1
    sought.current = index === -1 ? '' : at
  }, [conversation])
  // Whoever scrolled up to read is left there. What is loaded when it is first shown grows after its entry was made.
  const follow = useRef(() => {})
  follow.current = () => {
    if (isAtEnd.peek()) toEnd()
    else if (sought.current !== '' && area.current !== null)
      scrollToPlace(area.current, rows, first, sought.current)
  }
  useLayoutEffect(() => follow.current())
  const growth = useMemo(() => new ResizeObserver(() => follow.current()), [])
  useEffect(() => () => growth.disconnect(), [])
  const letGo = () => {
    sought.current = ''
  }
  useSignalEffect(() => {
    const wanted = place.value
    if (wanted === null) return
    const all = shown.peek().rows
    const at = all.findIndex((row) => messagesOf(row).includes(wanted.message))
    if (at === -1) return
    isAtEnd.value = false
    sought.current = ''
    limit.value = Math.max(limit.peek(), all.length - at)
    // The row may only be made now.
    requestAnimationFrame(() => {
      const row = area.current && entryIn(area.current, at, Math.max(0, all.length - limit.peek()))
      if (!row) return
      row.scrollIntoView({ block: 'center' })
      row.classList.add('is-found')
      setTimeout(() => row.classList.remove('is-found'), FOUND)
    })
  })
  const isEmpty = rows.length === 0 && draft.value === null && activity.value === null
  return (
    <div class="thread-box">
      <div
        class="thread"
        ref={area}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        onWheel={letGo}
        onPointerDown={letGo}
        onKeyDown={letGo}
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget
          // What grew since the last scroll to the end is no scroll of the user's: that one goes up.
          if (scrollHeight - scrollTop - clientHeight < 40) isAtEnd.value = true
          else if (scrollTop < scrolled.current) isAtEnd.value = false
          scrolled.current = scrollTop
          clearTimeout(resting.current)
          resting.current = setTimeout(() => {
            const element = area.current
            if (element === null || sought.current !== '') return
            writeAddress({ at: isAtEnd.peek() ? '' : placeIn(element, rows, first) })
          }, REST)
        }}
      >
        {isEmpty ? (
          <Welcome onOpen={onOpen} />
        ) : (
          <div
            class="rows"
            ref={(element) => (element === null ? growth.disconnect() : growth.observe(element))}
          >
            {first > 0 ? (
              <button
                type="button"
                class="link earlier"
                onClick={() => {
                  isAtEnd.value = false
                  limit.value += 3 * ROWS
                }}
              >
                Show {Math.min(first, 3 * ROWS)} earlier entries
              </button>
            ) : null}
            {rows.slice(first).map((row) => (
              <RowView key={`${conversation.id} ${row.key}`} row={row} shown={now} />
            ))}
            {past.value === null ? (
              <>
                <Live />
                <Approval />
                <Failure />
                <GoOn />
              </>
            ) : null}
          </div>
        )}
      </div>
      {isAtEnd.value ? null : (
        <button
          type="button"
          class="to-end"
          aria-label="To the newest"
          onClick={() => {
            letGo()
            isAtEnd.value = true
            writeAddress({ at: '' })
            toEnd()
          }}
        >
          <Icon name="down" />
        </button>
      )}
    </div>
  )
}

/** The messages that a row shows something of. */
function messagesOf(row: Row): number[] {
  if (row.kind === 'tool') return [row.use.call, row.use.result].flatMap((block) => block?.message ?? [])
  return 'block' in row ? [row.block.message] : []
}

function Welcome({ onOpen }: { onOpen(): void }) {
  return (
    <div class="welcome">
      <h2>See what the model sees.</h2>
      <p>
        An agent works in this tab, on files in this tab. Watch its context: what is sent, what was trimmed,
        why, and what that costs.
      </p>
      <div class="welcome-actions">
        <button type="button" class="button primary" onClick={() => void playSample()}>
          <Icon name="play" size={16} /> Play a recorded session
        </button>
        <button type="button" class="button" onClick={onOpen}>
          Open your own…
        </button>
      </div>
    </div>
  )
}

/** What the answer says so far. */
function Live() {
  const coming = draft.value
  if (activity.value === null && coming === null) return null
  return (
    <div class="live">
      {coming === null || coming.reasoning === '' ? null : <Reasoning text={coming.reasoning} isLive />}
      {coming === null || coming.text === '' ? null : <Markdown text={coming.text} />}
      {activity.value === null && failure.value !== null ? null : (
        <p class="working">
          <span class="dot" aria-hidden="true" />
          {asked.value !== null
            ? 'Waiting for your word'
            : (coming?.calls.at(-1)?.name ?? activity.value ?? 'Answering')}
        </p>
      )}
    </div>
  )
}

/** Where the history ends with a prompt or a result, as in a fork, the model can go on from there. */
function GoOn() {
  return isOpenEnded.value ? (
    <p class="go-on">
      <button type="button" class="button small" onClick={() => void retry()}>
        Let the model answer
      </button>
    </p>
  ) : null
}

function Failure() {
  return failure.value === null ? null : (
    <div class="failure" role="alert">
      <p>{failure.value}</p>
      <button type="button" class="button small" onClick={() => void retry()}>
        Try again
      </button>
    </div>
  )
}

interface RowProps {
  readonly row: Row
  readonly shown: Shown
}

const RowView = memo(function RowView({ row, shown }: RowProps): VNode | null {
  switch (row.kind) {
    case 'user':
      return <UserRow text={shown.history.textOf(row.block)} message={row.block.message} />
    case 'text':
      return (
        <div class="row row-text">
          <Markdown text={shown.history.textOf(row.block)} />
        </div>
      )
    case 'reasoning':
      return <Reasoning text={shown.history.textOf(row.block)} />
    case 'tool':
      return <ToolCard use={row.use} history={shown.history} />
    case 'trim':
      return <TrimRow trim={row.trim} isLast={row.isLast} shown={shown} />
    case 'note':
      return (
        <p class="row row-note">
          {row.note.kind === 'stopped' ? 'Stopped' : 'The answer ended here: it reached its limit of tokens.'}
        </p>
      )
    default:
      return (
        <details class="row fold">
          <summary>{row.block.role === 'system' ? 'System prompt' : row.block.kind}</summary>
          <LongText text={shown.history.textOf(row.block) || '(nothing to show)'} />
        </details>
      )
  }
}, isSameRow)

/** Rows are made anew with each snapshot: what they show is what counts. */
function isSameRow(before: RowProps, now: RowProps): boolean {
  const [one, other] = [before.row, now.row]
  if (one.key !== other.key || one.kind !== other.kind) return false
  if (one.kind === 'trim' || other.kind === 'trim') return false
  if (one.kind === 'tool' && other.kind === 'tool') {
    return (
      one.use.edit === other.use.edit &&
      one.use.result?.message === other.use.result?.message &&
      one.use.result?.utf16 === other.use.result?.utf16
    )
  }
  return true
}

function Reasoning({ text, isLive = false }: { text: string; isLive?: boolean }) {
  const lines = text.trim().split('\n')
  return (
    <details class="row fold reasoning">
      <summary>
        <span class="fold-name">{isLive ? 'Thinking' : 'Thought'}</span>
        <span class="fold-start">{isLive ? lines.at(-1) : lines[0]}</span>
      </summary>
      <LongText text={text} />
    </details>
  )
}
