import type { Signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { asSent, editedText } from '../composed.js'
import { branchChat } from '../sessions.js'
import { activity } from '../state.js'
import { Icon } from './icons.js'
import { LongText } from './long-text.js'

/** A message of the user. Editing it starts a branch: a new chat with all messages before it. */
export function UserRow({ text, message, chat }: { text: string; message: number; chat: string }) {
  const edited = editedText(chat, message)
  const isEdited = edited.value !== null
  /** Whether the user has just opened the editor, which can also be there because the row has come back. */
  const isOpened = useRef(false)
  const isCancelled = useRef(false)
  const pencil = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isEdited || !isCancelled.current) return
    isCancelled.current = false
    pencil.current?.focus()
  }, [isEdited])
  if (isEdited)
    return (
      <Editor
        edited={edited}
        takesFocus={isOpened.current}
        onCancel={() => {
          edited.value = null
          isCancelled.current = true
        }}
        onSend={(next) => {
          edited.value = null
          void branchChat(message, next)
        }}
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
        onClick={() => {
          isOpened.current = true
          edited.value = text
        }}
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
  readonly edited: Signal<string | null>
  readonly takesFocus: boolean
  onCancel(): void
  onSend(text: string): void
}

function Editor({ edited, takesFocus, onCancel, onSend }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [])
  return (
    <form
      class="row user-editor"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        const next = asSent(edited.peek() ?? '')
        if (next !== '') onSend(next)
      }}
    >
      <textarea
        ref={field}
        aria-label="Edit message"
        rows={2}
        defaultValue={edited.peek() ?? ''}
        onInput={(event) => {
          edited.value = event.currentTarget.value
        }}
      />
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
