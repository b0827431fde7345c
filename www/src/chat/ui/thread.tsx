import { computed, type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { memo } from 'preact/compat'
import { useEffect, useRef } from 'preact/hooks'
import type { BlockFacts } from 'trimtab'
import { readAddress, writeAddress } from '../address.js'
import type { Draft, Note } from '../agent/draft.js'
import type { History } from '../agent/history.js'
import { placeOf } from '../agent/requests.js'
import { blocksOf, editOf, messagesOf, type Row } from '../agent/thread.js'
import { asked } from '../approval.js'
import { shortened } from '../content/portion.js'
import { isAnsweredElsewhere } from '../interrupted.js'
import { offered } from '../offer.js'
import { type Place, place } from '../place.js'
import { answerChatAgain, continueChat, sendMessage } from '../sessions.js'
import type { Shown } from '../shown.js'
import { activity, draft, failure, isInterrupted, isOpenEnded, past, playSample, shown } from '../state.js'
import { Answer } from './answer.js'
import { Approval } from './approval.js'
import { useBlockText } from './block-text.js'
import { CopyButton } from './copy-button.js'
import { Failure } from './failure.js'
import { GroupHead } from './group-row.js'
import { Icon } from './icons.js'
import { keptSignal } from './kept-signal.js'
import { LongText } from './long-text.js'
import { useRowWindow } from './row-window.js'
import { Offered, SummaryRow } from './segments.js'
import { markFound, Sought } from './sought.js'
import { isEmpty, openGroup, reveal, threadRows } from './thread-rows.js'
import { isOpenAtFirst, ToolCard } from './tool-card.js'
import { TrimRow } from './trim-row.js'
import { UserRow } from './user-row.js'
import { VariantsRow } from './variants-row.js'

/** Duration of the highlight of a row that was jumped to, in milliseconds. */
const FOUND = 2500

/** Delay after the last scroll before the position is written to the address, in milliseconds. */
const REST = 250

export function Thread({ onOpen }: { onOpen(): void }) {
  const now = shown.value
  const { conversation } = now
  const rows = threadRows.value
  const view = useRowWindow(rows, conversation)
  const { area, isAtEnd, isOpening } = view
  const [from, to] = view.range
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  /** The row with the text that was searched for. */
  const sought = useSignal<{ readonly key: string; readonly text: string } | null>(null)
  const show = ({ message, block, text }: Place) => {
    const held = shown.peek().rows.filter((row) => messagesOf(row).includes(message))
    const row = held.find((one) => blocksOf(one, message).includes(block ?? -1)) ?? held[0]
    if (row === undefined || !reveal(row.key)) return
    const { key } = row
    sought.value = text === undefined ? null : { key, text }
    if (text !== undefined) keptSignal(shown.peek().conversation, key, false).value = true
    view.goTo(key, (area.current?.clientHeight ?? 0) / 3)
    // The row may be created only now.
    requestAnimationFrame(() => {
      const element = view.elementOf(threadRows.peek().findIndex((one) => one.key === key))
      if (element === undefined) return
      element.classList.add('is-found')
      setTimeout(() => element.classList.remove('is-found'), FOUND)
      if (text !== undefined)
        markFound(element, text, (found) => {
          const offset = offsetToSee(found, element, area.current)
          if (offset !== null) view.goTo(key, offset)
        })
    })
  }
  useEffect(() => {
    const wanted = place.peek()
    // Restore the position from the address.
    const { at } = readAddress()
    if (wanted?.chat === conversation.id) show(wanted)
    else if (at !== '' && reveal(at)) view.goTo(at)
    else view.goToEnd()
  }, [conversation])
  useSignalEffect(() => {
    const wanted = place.value
    const { id } = shown.peek().conversation
    if (wanted !== null && (wanted.chat ?? id) === id) show(wanted)
  })
  const owner = `${conversation.id} ${conversation.earlier.length}`
  return (
    <div class="thread-box">
      <div
        class="thread"
        ref={area}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        onClick={({ target }) => {
          const opener = target instanceof Element ? target.closest('summary, [aria-expanded]') : null
          if (opener !== null) view.hold(opener)
        }}
        onWheel={view.letGo}
        onPointerDown={view.letGo}
        onKeyDown={view.letGo}
        onScroll={() => {
          view.onScroll()
          clearTimeout(resting.current)
          resting.current = setTimeout(() => {
            writeAddress({ at: isAtEnd.peek() ? '' : view.topKey() })
          }, REST)
        }}
      >
        {isEmpty.value ? (
          <Welcome onOpen={onOpen} />
        ) : (
          <div class="rows" ref={view.rowsElement}>
            {[
              ...rows
                .slice(from, to)
                .map((row) => (
                  <RowView
                    key={`${owner} ${row.key}`}
                    row={row}
                    shown={now}
                    sought={sought.value?.key === row.key ? sought.value.text : null}
                  />
                )),
              // With the key of the row that it becomes, so that a long answer is not laid out again at its end.
              past.value === null ? <LiveReasoning key="reasoning" /> : null,
              past.value === null && isAnswering.value ? (
                <RowView key={`${owner} ${keyOfAnswer.value}`} row={null} shown={now} sought={null} />
              ) : null,
            ]}
            {past.value === null ? (
              <>
                <Live />
                <Approval />
                {offered.value === null ? null : <Offered />}
                <Failure />
                <GoOn />
              </>
            ) : null}
          </div>
        )}
      </div>
      {isAtEnd.value || isOpening.value || isEmpty.value ? null : (
        <button
          type="button"
          class="to-end"
          aria-label="Scroll to the end"
          onClick={() => {
            view.goToEnd()
            writeAddress({ at: '' })
          }}
        >
          <Icon name="down" />
        </button>
      )}
    </div>
  )
}

/** Offset of a row's top from that of the area at which a range in it is visible; `null` if it is visible now. */
function offsetToSee(place: Range, row: Element, area: Element | null): number | null {
  if (area === null) return null
  const [found, seen] = [place.getBoundingClientRect(), area.getBoundingClientRect()]
  if (found.top >= seen.top && found.bottom <= seen.bottom) return null
  return row.getBoundingClientRect().top - found.top + seen.height / 3
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
          <Icon name="play" size={16} /> Play the sample session
        </button>
        <button type="button" class="button" onClick={onOpen}>
          Open a session file…
        </button>
      </div>
    </div>
  )
}

/** Whether a part of an answer has arrived. */
const isAnswering = computed(() => (draft.value?.text ?? '') !== '')

/** The key of the row that the answer will be: the text of the next message, after its reasoning. */
const keyOfAnswer = computed(() =>
  placeOf({ message: shown.value.messages.length, block: (draft.value?.reasoning ?? '') === '' ? 0 : 1 }),
)

/** The reasoning so far. */
function LiveReasoning() {
  const reasoning = draft.value?.reasoning ?? ''
  return reasoning === '' ? null : (
    <div class="live">
      <Reasoning text={reasoning} />
    </div>
  )
}

/** What the agent does. */
function Live() {
  const coming = draft.value
  if (activity.value === null && coming === null) return null
  return (
    <div class="live">
      {activity.value === null && failure.value !== null ? null : (
        <p class="working">
          <span class="dot" aria-hidden="true" />
          {asked.value === null ? doingNow(coming) : 'Waiting for your approval'}
        </p>
      )}
    </div>
  )
}

function doingNow(coming: Draft | null): string {
  const call = coming?.calls.at(-1)
  if (call !== undefined) return call.name
  return coming === null || coming.text === '' ? (activity.value ?? 'Thinking') : 'Answering'
}

/**
 * A button that lets the model continue if the history ends with a prompt or a result, as in a fork. After a part of an
 * answer it needs another prompt: not every provider accepts a history that ends with an answer.
 */
function GoOn() {
  const isPartial = isInterrupted.value
  if (isAnsweredElsewhere.value)
    return (
      <p class="row row-elsewhere" role="status">
        Another tab answers here. What you send from this one starts a chat of its own.
      </p>
    )
  return isOpenEnded.value || isPartial ? (
    <p class="go-on">
      <button
        type="button"
        class="button small"
        onClick={() => void (isPartial ? sendMessage(GO_ON) : continueChat())}
      >
        Continue
      </button>
    </p>
  ) : null
}

const GO_ON = 'Your answer was interrupted: go on from there.'

const NOTES: Readonly<Record<Note['kind'], string>> = {
  'broken-off': 'The answer broke off.',
  stopped: 'Stopped',
  cut: 'The answer was cut off at its token limit.',
  interrupted: 'The chat was closed before the answer was complete.',
}

interface RowProps {
  /** `null` for the answer that is streaming. */
  readonly row: Row | null
  readonly shown: Shown
  /** The text that was searched for in it. */
  readonly sought: string | null
}

const RowView = memo(function RowView({ row, shown, sought }: RowProps): VNode | null {
  return (
    <Sought.Provider value={sought}>
      <RowInside row={row} shown={shown} />
    </Sought.Provider>
  )
}, isSameRow)

function RowInside({ row, shown }: Omit<RowProps, 'sought'>): VNode | null {
  const { conversation, history } = shown
  const block = row !== null && isOfOneBlock(row) ? row.block : null
  const text = useBlockText(block, history)
  if (row === null)
    return (
      <div class="row row-answer live live-text">
        <Answer text={draft.value?.text ?? ''} />
      </div>
    )
  if (block !== null && text === null) return <p class="row row-note">Reading a long text…</p>
  switch (row.kind) {
    case 'user':
      return (
        <UserRow
          text={text ?? ''}
          message={row.block.message}
          chat={`${conversation.id} ${conversation.earlier.length}`}
        />
      )
    case 'summary':
      return <SummaryRow block={row.block} history={history} />
    case 'text': {
      const isLast = endsTurn(row.block, history)
      return (
        <div class="row row-answer row-text" data-last={isLast}>
          <Answer text={text ?? ''} />
          <div class="row-actions">
            <CopyButton text={text ?? ''} label="Copy the answer" />
            {isLast ? <AgainButton message={row.block.message} /> : null}
          </div>
        </div>
      )
    }
    case 'reasoning':
      return <Reasoning text={text ?? ''} isOpen={keptSignal(conversation, row.key, false)} />
    case 'tool': {
      const edit = editOf(row.use, shown.edits)
      const isOpen = keptSignal(conversation, row.key, isOpenAtFirst(row.use, edit))
      const { group } = row
      return (
        <ToolCard
          use={row.use}
          edit={edit}
          history={history}
          isOpen={isOpen}
          // A group must not close while the user works in it.
          {...(group === undefined ? {} : { onUse: () => openGroup(group, true) })}
        />
      )
    }
    case 'group':
      return <GroupHead row={row} edits={shown.edits} />
    case 'variants':
      return <VariantsRow variants={row.variants} />
    case 'trim':
      return <TrimRow trim={row.trim} isLast={row.isLast} shown={shown} />
    case 'note':
      return <p class="row row-note">{NOTES[row.note.kind]}</p>
    default:
      return (
        <Fold
          isOpen={keptSignal(conversation, row.key, false)}
          summary={row.block.role === 'system' ? 'System prompt' : row.block.kind}
        >
          <LongText text={text || '(empty)'} />
        </Fold>
      )
  }
}

/** Whether a row shows the text of one block. */
type OneBlock = Extract<Row, { readonly block: BlockFacts }>

const isOfOneBlock = (row: Row): row is OneBlock => 'block' in row && row.kind !== 'summary'

/** Whether a message calls no tool, and so ends the turn. */
const endsTurn = ({ message }: BlockFacts, { messages }: History): boolean =>
  messages[message]?.blocks.every(({ kind }) => kind !== 'tool-call') ?? false

function AgainButton({ message }: { message: number }) {
  return (
    <button
      type="button"
      class="plain-button row-action"
      aria-label="Answer again"
      title="Answer again, in a chat of its own: this one stays. Files stay as they are now."
      disabled={activity.value !== null}
      onClick={() => void answerChatAgain(message)}
    >
      <Icon name="again" size={16} />
    </button>
  )
}

/** Compares two rows by what they show: each snapshot creates new objects. */
function isSameRow(before: RowProps, now: RowProps): boolean {
  const [one, other] = [before.row, now.row]
  if (one === null || other === null) return one === other
  if (one.key !== other.key || one.kind !== other.kind || before.sought !== now.sought) return false
  if (one.kind === 'variants' || one.kind === 'trim' || one.kind === 'group') return false
  if (one.kind === 'tool' && other.kind === 'tool') {
    return (
      editOf(one.use, before.shown.edits) === editOf(other.use, now.shown.edits) &&
      one.group === other.group &&
      one.use.result?.message === other.use.result?.message &&
      one.use.result?.utf16 === other.use.result?.utf16
    )
  }
  return true
}

interface FoldProps {
  readonly isOpen: Signal<boolean>
  readonly kind?: string
  readonly summary: ComponentChildren
  readonly children: ComponentChildren
}

function Fold({ isOpen, kind = '', summary, children }: FoldProps) {
  return (
    <details
      class={`row fold ${kind}`}
      open={isOpen.value}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}

function Reasoning({ text, isOpen }: { text: string; isOpen?: Signal<boolean> }) {
  const whileLive = useSignal(false)
  const isLive = isOpen === undefined
  return (
    <Fold
      isOpen={isOpen ?? whileLive}
      kind="reasoning"
      summary={
        <>
          <span class="fold-name">{isLive ? 'Thinking' : 'Thought'}</span>
          <span class="fold-start">{shortened(isLive ? lastLine(text) : firstLine(text))}</span>
        </>
      }
    >
      <LongText text={text} />
    </Fold>
  )
}

/** The first or last line that is not empty; not found by dividing the text, which may be very long. */
const firstLine = (text: string) => text.slice(0, LINE).trim().split('\n', 1)[0] ?? ''
const lastLine = (text: string) => text.slice(-LINE).trimEnd().split('\n').at(-1) ?? ''

/** Number of characters in which a line is looked for. */
const LINE = 4000
