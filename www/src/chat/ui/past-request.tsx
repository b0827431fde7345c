import { forkChat } from '../sessions.js'
import { lookAt, past, requestCount } from '../state.js'
import { Icon } from './icons.js'

/** Steps through past requests: the thread and the panel show the state at each. */
export function RequestStepper() {
  const count = requestCount.value
  if (count < 2) return null
  const at = past.value ?? count - 1
  return (
    <div class="stepper">
      <button
        type="button"
        class="plain-button"
        aria-label="Previous request"
        disabled={at === 0}
        onClick={() => lookAt(at - 1)}
      >
        <Icon name="before" size={16} />
      </button>
      <label>
        <span>
          Request {at + 1} of {count}
        </span>
        <input
          type="range"
          min={1}
          max={count}
          value={at + 1}
          onInput={(event) => lookSoon(Number(event.currentTarget.value) - 1)}
        />
      </label>
      <button
        type="button"
        class="plain-button"
        aria-label="Next request"
        disabled={past.value === null}
        onClick={() => lookAt(at + 1)}
      >
        <Icon name="after" size={16} />
      </button>
    </div>
  )
}

/** The last request that the slider chose and that is not shown yet. */
let due: number | null = null
let isShownInFrame = false

/** Shows a request at once, but only one for each frame: a slider may move several times before the next one. */
function lookSoon(request: number): void {
  due = request
  if (isShownInFrame) return
  isShownInFrame = true
  showDue()
  requestAnimationFrame(() => {
    isShownInFrame = false
    showDue()
  })
}

function showDue(): void {
  if (due !== null) lookAt(due)
  due = null
}

/** Replaces the composer while a past request is shown. */
export function PastRequest() {
  const at = past.value
  if (at === null) return null
  return (
    <section class="composer-area past" id="past-request" tabIndex={-1} aria-label="Past request">
      <div class="narrow-only">
        <RequestStepper />
      </div>
      <p class="past-actions">
        <button type="button" class="button small primary" onClick={() => void forkChat(at)}>
          Fork here
        </button>
        <button type="button" class="button small" onClick={() => lookAt(requestCount.peek())}>
          Back to latest
        </button>
      </p>
      <p class="composer-hint">
        What this request carried. A fork starts a new chat from here; files stay as they are now.
      </p>
    </section>
  )
}
