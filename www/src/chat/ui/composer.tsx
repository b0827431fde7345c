import { useRef } from 'preact/hooks'
import { EXAMPLES } from '../agent/commands.js'
import { asks, mustAsk, setAsks } from '../approval.js'
import { asSent, composed } from '../composed.js'
import { folder } from '../files.js'
import { type Connection, hostOf } from '../models/connection.js'
import { connection } from '../models/current.js'
import { type PageModel, pageModel } from '../models/page-model.js'
import { notice } from '../opening.js'
import { sendMessage } from '../sessions.js'
import { activity, shown, stopWork } from '../state.js'
import { Icon } from './icons.js'
import { ModelButton } from './model-dialog.js'
import { NextSize } from './next-size.js'
import { canCompact, startCompaction } from './segments.js'

function whoAnswers(
  asked: Connection | null,
  inPage: PageModel | null,
  folderName: string | undefined,
): string {
  if (inPage !== null)
    return `${inPage.name} answers in this tab, in words alone: it calls no tools. No key, no network.`
  const files = folderName === undefined ? 'files in this tab' : `the folder ${folderName}`
  return asked === null
    ? `A script answers: it knows a few plain commands and runs them on ${files}. No key, no network.`
    : `What you write, and what the tools find in ${files}, goes to ${hostOf(asked)}.`
}

const add = async (files: readonly File[]) => (await import('../added-files.js')).addFiles(files)

/** Adds pasted files, except pictures: no model here is sent any. */
async function takePasted(files: readonly File[]): Promise<void> {
  const others = files.filter(({ type }) => !type.startsWith('image/'))
  if (others.length > 0) await add(others)
  if (others.length < files.length)
    notice.value = 'Pictures are not sent: the agent of this page reads and writes text only.'
}

/** The message field. Enter sends, Shift+Enter adds a line. */
export function Composer() {
  const text = composed
  const chosen = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const isBusy = activity.value !== null
  const isNew = shown.value.rows.length === 0
  const submit = () => {
    const message = asSent(text.value)
    if (message === '' || isBusy) return
    text.value = ''
    if (message !== '/compact') void sendMessage(message)
    else if (canCompact()) void startCompaction()
  }
  return (
    <div class="composer-area">
      {isNew ? (
        <ul class="examples" aria-label="Examples">
          {EXAMPLES.map((example) => (
            <li key={example}>
              <button type="button" class="example" onClick={() => void sendMessage(example)}>
                {example}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <textarea
          id="composer"
          ref={field}
          rows={1}
          placeholder="Tell the agent what to do…"
          aria-label="Message"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
          onPaste={(event) => {
            const { files, types } = event.clipboardData ?? {}
            if (files === undefined || files.length === 0 || types?.includes('text/plain') === true) return
            event.preventDefault()
            void takePasted([...files])
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            // A key that is held was pressed elsewhere, on a button that has disappeared.
            if (!event.repeat) submit()
          }}
        />
        <button
          type="button"
          class="plain-button"
          aria-label="Add files"
          title="Add files for the agent to read and edit"
          onClick={() => chosen.current?.click()}
        >
          <Icon name="plus" />
        </button>
        <input
          ref={chosen}
          type="file"
          multiple
          hidden
          aria-label="Files for the agent"
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            if (files.length > 0) void add(files)
          }}
        />
        <ModelButton />
        <NextSize text={text.value} />
        {isBusy ? (
          <button type="button" class="round-button" aria-label="Stop" onClick={stopWork}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" class="round-button" aria-label="Send" disabled={text.value.trim() === ''}>
            <Icon name="send" />
          </button>
        )}
      </form>
      <p class="composer-hint">
        <span>{whoAnswers(connection.value, pageModel.value, folder.value?.name)}</span>
        <label class="asks">
          <input
            type="checkbox"
            checked={asks.value}
            disabled={mustAsk.value}
            onChange={(event) => setAsks(event.currentTarget.checked)}
          />
          Ask before changing files
        </label>
      </p>
    </div>
  )
}
