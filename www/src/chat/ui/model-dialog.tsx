import { signal, useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { reasonOf } from '../agent/reason.js'
import {
  type Connection,
  connectionOf,
  hostOf,
  keyFor,
  PROVIDER_IDS,
  PROVIDERS,
  type ProviderId,
} from '../models/connection.js'
import { connection, isKept, setConnection, setPageModel } from '../models/current.js'
import { fetchedFile, PAGE_WINDOW, type PageModel, pageModel, pageModelOf } from '../models/page-model.js'
import { activity } from '../state.js'
import { Icon } from './icons.js'

type Choice = ProviderId | 'script' | 'page'

/** Returns the display name of a choice. */
const nameOf = (choice: Choice): string =>
  choice === 'script' ? 'Script' : choice === 'page' ? 'In this page' : PROVIDERS[choice].name

/** How often the dialog was asked for. */
const asked = signal(0)

export function openModelDialog(): void {
  asked.value += 1
}

/** Shows the current model, and opens the dialog to change it. */
export function ModelButton() {
  const dialog = useRef<HTMLDialogElement>(null)
  const shown = useRef(asked.peek())
  useSignalEffect(() => {
    if (asked.value !== shown.current) dialog.current?.showModal()
    shown.current = asked.value
  })
  return (
    <>
      <button
        type="button"
        class="model-button"
        aria-haspopup="dialog"
        disabled={activity.value !== null}
        onClick={openModelDialog}
      >
        <span class="visually-hidden">Model: </span>
        <bdi>{connection.value?.model ?? pageModel.value?.name ?? 'Script'}</bdi>
        <Icon name="chevron" size={14} />
      </button>
      <dialog ref={dialog} class="dialog" aria-labelledby="model-title">
        <ModelForm key={asked.value} onDone={() => dialog.current?.close()} />
      </dialog>
    </>
  )
}

function ModelForm({ onDone }: { onDone(): void }) {
  const now = connection.value
  const choice = useSignal<Choice>(now?.provider ?? (pageModel.value === null ? 'script' : 'page'))
  const problem = useSignal('')
  /** What was entered for other choices than the one on display. */
  const entries = useRef(new Map<Choice, FormData>())
  /** Share of the model file that is downloaded; `null` if no download runs. */
  const fetched = useSignal<number | null>(null)
  const submit = async (form: HTMLFormElement) => {
    const given = new FormData(form)
    if (choice.value === 'page') {
      problem.value = ''
      const next = await enteredPageModel(given, (part) => (fetched.value = part))
      fetched.value = null
      if (typeof next === 'string') problem.value = next
      else {
        setPageModel(next)
        onDone()
      }
      return
    }
    const next = entered(choice.value, given)
    if (typeof next === 'string') problem.value = next
    else {
      setConnection(next, given.has('keep'))
      onDone()
    }
  }
  return (
    <form
      // The browser's own error message would appear beside this form's.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void submit(event.currentTarget)
      }}
    >
      <h2 id="model-title">Model</h2>
      <fieldset class="segmented choices" aria-label="Provider">
        {(['script', 'page', ...PROVIDER_IDS] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={choice.value === one}
            onClick={({ currentTarget: { form } }) => {
              if (form !== null) entries.current.set(choice.peek(), new FormData(form))
              choice.value = one
              problem.value = ''
            }}
          >
            {nameOf(one)}
          </button>
        ))}
      </fieldset>
      {choice.value === 'script' ? (
        <p class="dialog-note">
          A script that knows plain commands and really calls the tools. It needs no key and no network.
        </p>
      ) : choice.value === 'page' ? (
        <PageModelFields typed={entries.current.get('page')} />
      ) : (
        <Fields
          key={choice.value}
          provider={choice.value}
          now={now?.provider === choice.value ? now : null}
          typed={entries.current.get(choice.value)}
        />
      )}
      {fetched.value === null ? null : (
        <label class="fetched">
          Fetching the model: {Math.round(fetched.value * 100)} %
          <progress value={fetched.value} />
        </label>
      )}
      {problem.value === '' ? null : (
        <p class="dialog-problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={fetched.value !== null}>
          Use {choice.value === 'script' ? 'the script' : 'this model'}
        </button>
      </div>
    </form>
  )
}

interface FieldsProps {
  readonly provider: ProviderId
  readonly now: Connection | null
  /** What the user has entered before. */
  readonly typed: FormData | undefined
}

const typedIn = (form: FormData | undefined, name: string): string | undefined =>
  form === undefined ? undefined : String(form.get(name) ?? '')

function Fields({ provider, now, typed }: FieldsProps) {
  const { address, example, window } = PROVIDERS[provider]
  const entered = typedIn(typed, 'key') ?? ''
  const key = useSignal(typed === undefined ? (now?.key ?? '') : entered)
  const isTyped = useSignal(entered !== '' && entered !== now?.key)
  const isTakenAway = now !== null && now.key !== '' && key.value === '' && !isTyped.value
  return (
    <>
      <label class="field">
        <span>Address</span>
        <input
          name="address"
          type="url"
          spellcheck={false}
          placeholder={address}
          defaultValue={typedIn(typed, 'address') ?? now?.address ?? ''}
          onInput={(event) => {
            // A key that was stored is hidden here, and would be sent to another server unnoticed.
            if (now !== null && !isTyped.value) key.value = keyFor(now, event.currentTarget.value)
          }}
        />
        {provider === 'openai' ? (
          <small>Any server that speaks Chat Completions, such as http://localhost:11434/v1</small>
        ) : null}
      </label>
      <div class="field-pair">
        <label class="field">
          <span>Model</span>
          <input
            name="model"
            spellcheck={false}
            placeholder={example}
            defaultValue={typedIn(typed, 'model') ?? now?.model ?? ''}
          />
        </label>
        <label class="field">
          <span>Window (tokens)</span>
          <input
            name="window"
            inputMode="numeric"
            placeholder={window.toLocaleString('en')}
            defaultValue={typedIn(typed, 'window') ?? now?.window ?? ''}
          />
        </label>
      </div>
      <label class="field">
        <span>Key</span>
        <input
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={key.value}
          onInput={(event) => {
            isTyped.value = true
            key.value = event.currentTarget.value
          }}
        />
        <small role="status">
          {isTakenAway
            ? `The key of ${hostOf(now)} is not sent to another address. Enter the key of this one, if it needs one.`
            : 'Sent to this address and nowhere else.'}
        </small>
      </label>
      <label class="check">
        <input
          type="checkbox"
          name="keep"
          defaultChecked={typed?.has('keep') ?? (now !== null && isKept.value)}
        />
        <span>
          Remember the connection and its key in this browser
          <small>Otherwise both are forgotten when the tab is closed or reloaded.</small>
        </span>
      </label>
    </>
  )
}

function PageModelFields({ typed }: Pick<FieldsProps, 'typed'>) {
  return (
    <>
      <label class="field">
        <span>File of the model</span>
        <input name="file" type="file" accept=".gguf" />
        <small>A file of llama.cpp (.gguf). It is read in this tab and goes nowhere.</small>
      </label>
      <div class="field-pair">
        <label class="field">
          <span>Or its address</span>
          <input
            name="from"
            type="url"
            spellcheck={false}
            placeholder="https://…/model.gguf"
            defaultValue={typedIn(typed, 'from') ?? ''}
          />
        </label>
        <label class="field">
          <span>Window (tokens)</span>
          <input
            name="window"
            inputMode="numeric"
            placeholder={PAGE_WINDOW.toLocaleString('en')}
            defaultValue={typedIn(typed, 'window') ?? ''}
          />
        </label>
      </div>
      <p class="dialog-note">
        llama.cpp runs it here, on the processor: the smaller, the faster. It answers in words, and calls no
        tools. What runs it (2 MB compressed) is loaded with the first message; the file is chosen again after
        a reload.
      </p>
    </>
  )
}

/** Returns the chosen or downloaded model, or the error as text. */
async function enteredPageModel(form: FormData, onPart: (part: number) => void): Promise<PageModel | string> {
  const file = form.get('file')
  const window = String(form.get('window') ?? '')
  if (file instanceof File && file.size > 0) return pageModelOf(file, file.name, window)
  const from = String(form.get('from') ?? '').trim()
  if (from === '') return 'Which model? Choose its file, or give its address.'
  if (!URL.canParse(from) || !/^https?:/i.test(from))
    return 'The address must be a URL that begins with https:// or http://.'
  const url = new URL(from)
  try {
    onPart(0)
    return await pageModelOf(await fetchedFile(url, onPart), url.pathname.split('/').at(-1) ?? '', window)
  } catch (error) {
    return `The model cannot be fetched from ${url.host}: ${reasonOf(error)}. Some servers send the request elsewhere, or let no web page ask them: download it, and choose the file.`
  }
}

function entered(choice: ProviderId | 'script', form: FormData): Connection | null | string {
  if (choice === 'script') return null
  const text = (name: string) => String(form.get(name) ?? '')
  return connectionOf(
    {
      provider: choice,
      address: text('address'),
      model: text('model'),
      key: text('key'),
      window: text('window'),
    },
    location.protocol === 'https:',
  )
}
