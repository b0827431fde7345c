import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { branchChat } from '../sessions.js'
import { activity } from '../state.js'
import { Icon } from './icons.js'
import { LongText } from './long-text.js'

/** A message of the user. Editing it starts a branch: a new chat with all messages before it. */
export function UserRow({ text, message }: { text: string; message: number }) {
  const isEdited = useSignal(false)
  const isCancelled = useRef(false)
  const pencil = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isEdited.value || !isCancelled.current) return
    isCancelled.current = false
    pencil.current?.focus()
  }, [isEdited.value])
  if (isEdited.value)
    return (
      <Editor
        text={text}
        onCancel={() => {
          isEdited.value = false
          isCancelled.current = true
        }}
        onSend={(next) => void branchChat(message, next)}
      />
    )
  return (
    <div class="row user-line">
      <button
        ref={pencil}
        type="button"
        class="plain-button row-action"
        aria-label="Edit and branch"
        title="Edit and branch"
        disabled={activity.value !== null}
        onClick={() => (isEdited.value = true)}
      >
        <Icon name="pencil" size={16} />
      </button>
      <div class="row-user">
        <LongText text={text} />
      </div>
    </div>
  )
}

interface EditorProps {
  readonly text: string
  onCancel(): void
  onSend(text: string): void
}

function Editor({ text, onCancel, onSend }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      class="row user-editor"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        const next = field.current?.value.trim() ?? ''
        if (next !== '') onSend(next)
      }}
    >
      <textarea ref={field} aria-label="Edit message" rows={2} defaultValue={text} />
      <div class="user-editor-actions">
        <span class="quiet">Starts a new chat from here; this one stays. Files stay as they are now.</span>
        <span class="user-editor-buttons">
          <button type="button" class="button small" onClick={onCancel}>
            Cancel
          </button>
          <button type="submit" class="button small primary">
            Branch
          </button>
        </span>
      </div>
    </form>
  )
}
