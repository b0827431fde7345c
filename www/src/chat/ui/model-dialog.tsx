import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import {
  type Connection,
  connectionOf,
  PROVIDER_IDS,
  PROVIDERS,
  type ProviderId,
} from '../models/connection.js'
import { connection, isKept, setConnection } from '../models/current.js'
import { activity } from '../state.js'
import { Icon } from './icons.js'

type Choice = ProviderId | 'script'

/** Who answers, and the way to change it. */
export function ModelButton() {
  const dialog = useRef<HTMLDialogElement>(null)
  const opened = useSignal(0)
  return (
    <>
      <button
        type="button"
        class="model-button"
        aria-haspopup="dialog"
        disabled={activity.value !== null}
        onClick={() => {
          opened.value += 1
          dialog.current?.showModal()
        }}
      >
        <span class="visually-hidden">Model: </span>
        <bdi>{connection.value?.model ?? 'Script'}</bdi>
        <Icon name="chevron" size={14} />
      </button>
      <dialog ref={dialog} class="dialog" aria-labelledby="model-title">
        <ModelForm key={opened.value} onDone={() => dialog.current?.close()} />
      </dialog>
    </>
  )
}

function ModelForm({ onDone }: { onDone(): void }) {
  const now = connection.value
  const choice = useSignal<Choice>(now?.provider ?? 'script')
  const problem = useSignal('')
  const submit = (form: HTMLFormElement) => {
    const next = entered(choice.value, new FormData(form))
    if (typeof next === 'string') problem.value = next
    else {
      setConnection(next, new FormData(form).has('keep'))
      onDone()
    }
  }
  return (
    <form
      // The browser's own words for a wrong address would stand beside ours.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        submit(event.currentTarget)
      }}
    >
      <h2 id="model-title">Who answers?</h2>
      <fieldset class="segmented choices" aria-label="Provider">
        {(['script', ...PROVIDER_IDS] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={choice.value === one}
            onClick={() => {
              choice.value = one
              problem.value = ''
            }}
          >
            {one === 'script' ? 'Script' : PROVIDERS[one].name}
          </button>
        ))}
      </fieldset>
      {choice.value === 'script' ? (
        <p class="dialog-note">
          A script that knows plain commands and really calls the tools. It needs no key and no network.
        </p>
      ) : (
        <Fields
          key={choice.value}
          provider={choice.value}
          now={now?.provider === choice.value ? now : null}
        />
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
        <button type="submit" class="button primary">
          Use {choice.value === 'script' ? 'the script' : 'this model'}
        </button>
      </div>
    </form>
  )
}

function Fields({ provider, now }: { provider: ProviderId; now: Connection | null }) {
  const { address, example, window } = PROVIDERS[provider]
  return (
    <>
      <label class="field">
        <span>Address</span>
        <input
          name="address"
          type="url"
          spellcheck={false}
          placeholder={address}
          defaultValue={now?.address ?? ''}
        />
        {provider === 'openai' ? (
          <small>Any server that speaks Chat Completions, such as http://localhost:11434/v1</small>
        ) : null}
      </label>
      <div class="field-pair">
        <label class="field">
          <span>Model</span>
          <input name="model" spellcheck={false} placeholder={example} defaultValue={now?.model ?? ''} />
        </label>
        <label class="field">
          <span>Window, tokens</span>
          <input
            name="window"
            inputMode="numeric"
            placeholder={window.toLocaleString('en')}
            defaultValue={now === null ? '' : String(now.window)}
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
          defaultValue={now?.key ?? ''}
        />
        <small>Goes to this address and nowhere else. The page asks no other one.</small>
      </label>
      <label class="check">
        <input type="checkbox" name="keep" defaultChecked={now !== null && isKept.value} />
        <span>
          Keep the connection and its key in this browser
          <small>Otherwise it is gone when the tab is closed or loaded again.</small>
        </span>
      </label>
    </>
  )
}

function entered(choice: Choice, form: FormData): Connection | null | string {
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
