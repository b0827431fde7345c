import { startNewChat } from '../sessions.js'
import {
  accountAgain,
  isAccounting,
  isOver,
  isPlaying,
  playAgain,
  replay,
  requestCount,
  setSpeed,
  stepReplay,
  stopAccounting,
  togglePlaying,
} from '../state.js'
import { Icon } from './icons.js'

const SPEEDS = [1, 4, 16, 64]

/** Controls of a replay, in place of the composer: play, pause, step and speed. */
export function Transport() {
  const now = replay.value
  if (now === null) return null
  const made = requestCount.value
  return (
    <section class="composer-area" id="transport" tabIndex={-1} aria-label="Replay">
      <div class="transport">
        {isOver.value ? (
          <button
            type="button"
            class="round-button"
            aria-label={now.isWhole ? 'Play from the start' : 'Play again'}
            title={now.isWhole ? 'Play from the start' : 'Play again'}
            onClick={playAgain}
          >
            <Icon name={now.isWhole ? 'play' : 'again'} />
          </button>
        ) : (
          <button
            type="button"
            class="round-button"
            aria-label={isPlaying.value ? 'Pause' : 'Play'}
            onClick={togglePlaying}
          >
            <Icon name={isPlaying.value ? 'pause' : 'play'} />
          </button>
        )}
        {now.isWhole ? null : <Step />}
        <label class="transport-progress">
          <span>
            Request {made} of {now.requests}
          </span>
          <progress max={now.requests} value={made} />
        </label>
        {now.isWhole ? null : <Speed now={now.pace.speed} />}
        {isAccounting.value ? (
          <button type="button" class="button small" onClick={stopAccounting}>
            Stop
          </button>
        ) : null}
        {now.isWhole && !isAccounting.value && made < now.requests ? (
          <button type="button" class="button small" onClick={accountAgain}>
            Compute all
          </button>
        ) : null}
        <button type="button" class="button small" onClick={() => startNewChat()}>
          Close
        </button>
      </div>
      <p class="composer-hint">{hintOf(now.isWhole, isAccounting.value)}</p>
    </section>
  )
}

function Step() {
  return (
    <button
      type="button"
      class="plain-button"
      aria-label="Step one request"
      title="Step one request"
      disabled={isPlaying.value || isOver.value}
      onClick={stepReplay}
    >
      <Icon name="step" />
    </button>
  )
}

function Speed({ now }: { now: number }) {
  return (
    <label class="speed select-box">
      <span class="visually-hidden">Speed</span>
      <select class="select" onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed} selected={speed === now}>
            {speed}×
          </option>
        ))}
      </select>
    </label>
  )
}

function hintOf(isWhole: boolean, isMade: boolean): string {
  if (isMade) return 'Computing what each request would have sent under this policy…'
  return isWhole
    ? 'A recorded session: its requests as they are under the policy chosen here.'
    : 'A recorded session, replayed under the policy chosen here.'
}
