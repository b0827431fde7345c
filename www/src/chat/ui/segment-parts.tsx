// Components for chats that are compacted or about to be.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { BlockFacts } from 'trimtab'
import { count, plural, short } from '../../numbers.js'
import type { History } from '../agent/history.js'
import type { EarlierSegment } from '../agent/segments.js'
import { compactNow, openSegment } from '../compaction.js'
import { connection } from '../models/current.js'
import { pageModel } from '../models/page-model.js'
import { type Offer, offered } from '../offer.js'
import { place } from '../place.js'
import { forkChat } from '../sessions.js'
import { activity, replay, requestCount, shown, steeredCalls } from '../state.js'
import { viewed } from '../viewed.js'
import { Icon } from './icons.js'
import { Markdown } from './markdown.js'

const MADE_BY = { model: 'by the model', mechanical: 'without a model' } as const

/** Returns the messages that a summary replaces: `messages 2–41`. */
const rangeOf = ({ from, to }: EarlierSegment) => `messages ${count(from)}–${count(to)}`

interface SummaryProps {
  readonly block: BlockFacts
  readonly history: History
}

/** Marks a summary: how much it replaces, with a link to the original messages. */
export function SummaryRow({ block, history }: SummaryProps) {
  const isOpen = useSignal(false)
  const { earlier } = viewed.value === null ? shown.value.conversation : { earlier: [] }
  const segment = earlier.at(-1)
  return (
    <section class="row trim summary" aria-label="Compacted">
      <p class="trim-head">
        <Icon name="fold" size={16} />
        {segment === undefined ? (
          <span>A summary replaces everything before this.</span>
        ) : (
          <span>
            Compacted {rangeOf(segment)}: <b>{short(segment.tokens.before)}</b> →{' '}
            <b>{short(segment.tokens.after)}</b> tokens
          </span>
        )}
      </p>
      {segment === undefined ? null : (
        <p class="trim-note">Summarized {MADE_BY[segment.by]}. The original messages are kept.</p>
      )}
      <p class="trim-actions">
        <button
          type="button"
          class="link"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          Read the summary
        </button>
        {segment === undefined ? null : (
          <button type="button" class="link" onClick={() => void openSegment(earlier.length - 1)}>
            Open the earlier segment
          </button>
        )}
      </p>
      {isOpen.value ? (
        <div class="trim-open summary-text">
          <Markdown text={history.textOf(block)} />
        </div>
      ) : null}
    </section>
  )
}

/** Shows what a summary would replace and who would write it, before it is made. */
export function Offered() {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    first.current?.focus()
    first.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
  }, [offered.value])
  const now = offered.value
  const isAsWas = now !== null && shown.value.messages === now.messages && activity.value === null
  if (now === null || !isAsWas) return null
  const { dropped, tokens, head, messages } = now.made
  const model = modelFor(now)
  const pinned = pinnedIn(now)
  return (
    <section class="approval" aria-label="Compact this chat">
      <p>
        A summary would stand for <b>{plural(dropped.messages, 'message')}</b> (~{short(dropped.tokens)} of{' '}
        {short(tokens.before)} tokens). The newest {messages.length - head} stay as they are. The earlier
        segment is kept: it can be read, and forked.
      </p>
      {pinned === 0 ? null : (
        <p>
          {plural(pinned, 'pinned call')} {pinned === 1 ? 'is' : 'are'} among them, and would leave the
          requests.
        </p>
      )}
      <p class="approval-actions">
        {model === null ? null : (
          <button
            ref={first}
            type="button"
            class="button small primary"
            onClick={() => void compactNow(now, true)}
          >
            <bdi>Summarize with {model}</bdi>
          </button>
        )}
        <button
          ref={model === null ? first : null}
          type="button"
          class={model === null ? 'button small primary' : 'button small'}
          onClick={() => void compactNow(now, false)}
        >
          Summarize without a model
        </button>
        <button type="button" class="button small" onClick={() => (offered.value = null)}>
          Cancel
        </button>
      </p>
    </section>
  )
}

/** Returns the name of the model that can read what is to be summarized, or `null`. */
function modelFor({ made }: Offer): string | null {
  const { value: inPage } = pageModel
  if (inPage !== null) return made.dropped.tokens < inPage.window / 2 ? inPage.name : null
  return connection.value?.model ?? null
}

/** Returns the number of pinned calls that would be dropped. */
function pinnedIn({ made }: Offer): number {
  const { history } = shown.peek()
  const calls = history.messages.slice(0, made.cut).flatMap(({ blocks }) => blocks)
  return calls.filter(
    ({ kind, callId }) =>
      kind === 'tool-call' && callId !== null && steeredCalls.value.get(callId) === 'pinned',
  ).length
}

interface Listed {
  readonly name: string
  readonly isShown: boolean
  open(): void
}

/** Lists the segments of the open chat or recording. */
export function SegmentList({ onDone }: { onDone(): void }) {
  const segments = replay.value === null ? segmentsOfChat() : segmentsOfRecording()
  return (
    <section class="segments" aria-label="Segments">
      <h2>Segments</h2>
      <ol>
        {segments.map(({ name, isShown, open }, at) => (
          <li key={name}>
            <button
              type="button"
              class="side-button session-button"
              aria-current={isShown ? 'true' : undefined}
              onClick={() => {
                if (!isShown) open()
                onDone()
              }}
            >
              <span class="segment-number">{at + 1}</span> {name}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

function segmentsOfChat(): Listed[] {
  const { earlier, at } = viewed.value ?? { earlier: shown.value.conversation.earlier, at: null }
  return [...earlier.map(rangeOf), 'current'].map((name, index) => ({
    name,
    isShown: index === (at ?? earlier.length),
    open: () => void openSegment(index),
  }))
}

/** Returns the segments of a recording. It has all messages in one history, so opening a segment scrolls to it. */
function segmentsOfRecording(): Listed[] {
  const { conversation, messages } = shown.value
  const starts = [0, ...conversation.summaries.filter((at) => at < messages.length), messages.length]
  return starts.slice(0, -1).map((start, at) => ({
    name: `messages ${count(start + 1)}–${count(starts[at + 1] ?? 0)}`,
    isShown: false,
    open: () => {
      place.value = { message: start }
    },
  }))
}

/** Replaces the composer while an earlier segment is shown. */
export function SegmentBar() {
  const now = viewed.value
  const segment = now?.earlier[now.at]
  if (now === null || segment === undefined) return null
  return (
    <section class="composer-area past" id="segment" tabIndex={-1} aria-label="An earlier segment">
      <p class="past-actions">
        <button type="button" class="button small primary" onClick={() => void forkChat(requestCount.peek())}>
          Fork here
        </button>
        <button type="button" class="button small" onClick={() => void openSegment(now.earlier.length)}>
          Back to latest
        </button>
      </p>
      <p class="composer-hint">
        Segment {now.at + 1} of {now.earlier.length + 1}, as it was when a summary took the place of its{' '}
        {rangeOf(segment)}. A fork starts a new chat from here; files stay as they are now.
      </p>
    </section>
  )
}
