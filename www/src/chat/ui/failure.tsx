import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { connection } from '../models/current.js'
import { continueChat } from '../sessions.js'
import { failure, retryAt } from '../state.js'
import { openModelDialog } from './model-dialog.js'

/** Why the last request failed, and buttons that repeat it or change the connection. */
export function Failure() {
  if (failure.value === null) return null
  return (
    <div class="failure" role="alert">
      <p>{failure.value}</p>
      <div class="failure-actions">
        <button type="button" class="button small" onClick={() => void continueChat()}>
          Try again <Countdown until={retryAt.value} />
        </button>
        {connection.value === null ? null : (
          <button type="button" class="button small" aria-haspopup="dialog" onClick={openModelDialog}>
            Change the model
          </button>
        )}
      </div>
    </div>
  )
}

/** Counts down to the time from which the provider takes the request. The button works before, too. */
function Countdown({ until }: { until: number | null }) {
  const now = useSignal(Date.now())
  useEffect(() => {
    now.value = Date.now()
    if (until === null) return
    const timer = setInterval(() => {
      now.value = Date.now()
      if (now.value >= until) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  const left = until === null ? 0 : Math.ceil((until - now.value) / 1000)
  // Hidden, as it would be read out each second.
  return left <= 0 ? null : (
    <span class="countdown" aria-hidden="true">
      in {left} s
    </span>
  )
}
