import { startNewChat } from '../sessions.js'
import { isOver, isPlaying, playAgain, replay, setSpeed, shown, stepReplay, togglePlaying } from '../state.js'
import { Icon } from './icons.js'

const SPEEDS = [1, 4, 16, 64]

/** Play, pause, step and speed of a recorded session, in the place of the composer. */
export function Transport() {
  const now = replay.value
  if (now === null) return null
  const made = shown.value.requests.length
  return (
    <section class="composer-area" id="transport" tabIndex={-1} aria-label="Replay">
      <div class="transport">
        {isOver.value ? (
          <button type="button" class="round-button" aria-label="Play again" onClick={playAgain}>
            <Icon name="again" />
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
        <button
          type="button"
          class="plain-button"
          aria-label="One request on"
          title="One request on"
          disabled={isPlaying.value || isOver.value}
          onClick={stepReplay}
        >
          <Icon name="step" />
        </button>
        <label class="transport-progress">
          <span>
            Request {made} of {now.requests}
          </span>
          <progress max={now.requests} value={made} />
        </label>
        <label class="speed">
          <span class="visually-hidden">Speed</span>
          <select onChange={(event) => setSpeed(Number(event.currentTarget.value))}>
            {SPEEDS.map((speed) => (
              <option key={speed} value={speed} selected={speed === now.pace.speed}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button small" onClick={startNewChat}>
          Close
        </button>
      </div>
      <p class="composer-hint">
        A recorded session, played as if its agent worked now, under the policy chosen here.
      </p>
    </section>
  )
}
