import { isOutdated } from '../new-version.js'
import { activity } from '../state.js'

/** Says that a newer version of the page can be opened. Nothing reloads by itself. */
export function NewVersion() {
  if (!isOutdated.value) return null
  const isBusy = activity.value !== null
  return (
    <div class="notice new-version" role="status">
      <p>{isBusy ? 'A newer version of this page is ready for when the agent is done.' : READY}</p>
      <button type="button" class="button small" disabled={isBusy} onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  )
}

const READY =
  'A newer version of this page is ready. What you have written below is kept; a key that this browser does not store has to be entered again.'
