import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ToolCall } from 'trimtab/tools'
import { asked } from '../approval.js'
import { shortened } from '../content/portion.js'

/** Asks the user to approve a call that would change files; its card above shows the change. */
export function Approval() {
  const now = asked.value
  const isRefused = useSignal(false)
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    isRefused.value = false
    first.current?.focus()
  }, [now])
  if (now === null) return null
  const { call, answer } = now
  return (
    <section class="approval" aria-label="Approval">
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
          <button
            ref={first}
            type="button"
            class="button small primary"
            onClick={() => answer({ kind: 'once' })}
          >
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
