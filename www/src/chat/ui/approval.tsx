import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ToolCall } from 'trimtab/tools'
import { type Asked, asked } from '../approval.js'
import { shortened } from '../content/portion.js'
import { isWriting } from '../keep-focus.js'

/** Asks the user to approve a call that would change files; its card above shows the change. */
export function Approval() {
  const now = asked.value
  // New elements for each question: no press on a button for one answers the next.
  return now === null ? null : <Question key={now} now={now} />
}

/** What a call wants, for a screen reader. */
export const wishOf = (call: ToolCall): string =>
  `${shortened(call.name)} wants to change ${shortened(pathOf(call) ?? 'files')}.`

function Question({ now: { call, answer } }: { now: Asked }) {
  const isRefused = useSignal(false)
  const section = useRef<HTMLElement>(null)
  // The question takes the focus, not a button in it: a key that the user presses at this moment allows nothing.
  useEffect(() => {
    if (!isWriting()) section.current?.focus()
  }, [])
  return (
    <section
      ref={section}
      class="approval"
      aria-label="Approval"
      tabIndex={-1}
      onClickCapture={(event) => {
        // The second click of a double click was meant for the question before.
        if (event.detail > 1) event.stopPropagation()
      }}
    >
      <p>
        <b>
          <bdi>{shortened(call.name)}</bdi>
        </b>{' '}
        wants to change <ChangedPlace call={call} />.
      </p>
      {isRefused.value ? (
        <Refusal
          onCancel={() => (isRefused.value = false)}
          onRefuse={(word) => answer({ kind: 'refused', word })}
        />
      ) : (
        <p class="approval-actions">
          <button type="button" class="button small primary" onClick={() => answer({ kind: 'once' })}>
            Allow
          </button>
          <button type="button" class="button small" onClick={() => answer({ kind: 'chat' })}>
            Allow all in this chat
          </button>
          <button type="button" class="button small" onClick={() => (isRefused.value = true)}>
            Deny…
          </button>
        </p>
      )}
    </section>
  )
}

/** Names the file that a call would change. */
function ChangedPlace({ call }: { call: ToolCall }) {
  const path = pathOf(call)
  return path === null ? (
    <>files</>
  ) : (
    <code>
      <bdi>{shortened(path)}</bdi>
    </code>
  )
}

/** The tools accept both names. Returns `null` if the model's arguments name no file. */
function pathOf(call: ToolCall): string | null {
  try {
    const given = JSON.parse(call.arguments) as { path?: unknown; file_path?: unknown } | null
    const path = given?.path ?? given?.file_path
    return typeof path === 'string' ? path : null
  } catch {
    return null
  }
}

function Refusal({ onCancel, onRefuse }: { onCancel(): void; onRefuse(word: string): void }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      class="approval-actions"
      onSubmit={(event) => {
        event.preventDefault()
        onRefuse(field.current?.value ?? '')
      }}
    >
      <input ref={field} aria-label="Reason" placeholder="Reason (the model reads it)" maxLength={500} />
      <button type="submit" class="button small primary">
        Deny
      </button>
      <button type="button" class="button small" onClick={onCancel}>
        Back
      </button>
    </form>
  )
}
