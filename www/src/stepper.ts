import { byId } from './dom.js'
import { count } from './numbers.js'
import type { Session } from './session.js'

interface Stepper {
  show(session: Session, request: number): void
}

/** Duration of a full playback in milliseconds, however many steps there are. */
const PLAY_MS = 14_000
const SLOWEST_STEP_MS = 600

/** Creates the slider over the requests and its play button. */
export function createStepper(onChange: (request: number) => void): Stepper {
  const slider = byId('step', HTMLInputElement)
  const text = byId('step-text', HTMLOutputElement)
  const player = createPlayer(byId('play', HTMLButtonElement), slider, onChange)
  slider.addEventListener('input', () => {
    player.stop()
    onChange(slider.valueAsNumber)
  })
  return {
    show(session, request) {
      slider.max = String(session.requests.length - 1)
      slider.valueAsNumber = request
      const label = requestLabel(session, request)
      text.textContent = label
      slider.setAttribute('aria-valuetext', label)
      const last = session.requests.length - 1
      slider.style.setProperty('--done', `${last === 0 ? 100 : (request / last) * 100}%`)
    },
  }
}

export function requestLabel(session: Session, request: number): string {
  const step = session.requests[request]?.step ?? null
  const steps = session.inspection.steps
  return step === null ? `After step ${count(steps)}` : `Before step ${count(step)} of ${count(steps)}`
}

function createPlayer(
  button: HTMLButtonElement,
  slider: HTMLInputElement,
  onChange: (request: number) => void,
): { stop(): void } {
  let frame = 0
  const stop = () => {
    cancelAnimationFrame(frame)
    frame = 0
    setPlaying(button, false)
  }
  const start = () => {
    const last = Number(slider.max)
    const from = slider.valueAsNumber >= last ? 0 : slider.valueAsNumber
    const stepMs = Math.min(SLOWEST_STEP_MS, PLAY_MS / Math.max(1, last))
    const begin = performance.now()
    const tick = (now: number) => {
      const request = Math.min(last, from + Math.floor((now - begin) / stepMs))
      if (request !== slider.valueAsNumber) {
        onChange(request)
      }
      if (request >= last) {
        stop()
      } else {
        frame = requestAnimationFrame(tick)
      }
    }
    setPlaying(button, true)
    onChange(from)
    frame = requestAnimationFrame(tick)
  }
  button.addEventListener('click', () => {
    if (frame === 0) {
      start()
    } else {
      stop()
    }
  })
  return { stop }
}

function setPlaying(button: HTMLButtonElement, playing: boolean): void {
  button.setAttribute('aria-pressed', String(playing))
  button.title = playing ? 'Pause' : 'Play through the steps'
}
