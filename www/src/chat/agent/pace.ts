import type { Pace } from './replay-session.js'

/** Resolves after a number of milliseconds; rejects when the signal is aborted. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Minimum wait in milliseconds: shorter ones are added up, as a browser's timers are no finer. */
const SHORTEST = 8

/** A replay's pace, controlled by the user: play, pause, step, speed. */
export class HeldPace implements Pace {
  #isPlaying = true
  #steps = 0
  #owed = 0
  #wake: (() => void) | null = null

  constructor(
    readonly signal: AbortSignal,
    /** Speed relative to the recording. */
    public speed = 1,
  ) {
    signal.addEventListener('abort', () => this.#wake?.(), { once: true })
  }

  get isPlaying(): boolean {
    return this.#isPlaying
  }

  play(): void {
    this.#isPlaying = true
    this.#wake?.()
  }

  pause(): void {
    this.#isPlaying = false
  }

  /** Allows one more request while paused. */
  step(): void {
    this.#steps += 1
    this.#wake?.()
  }

  async wait(milliseconds: number): Promise<void> {
    this.signal.throwIfAborted()
    this.#owed += milliseconds / this.speed
    if (this.#owed < SHORTEST) return
    const pause = this.#owed
    this.#owed = 0
    await delay(pause, this.signal)
  }

  async turn(): Promise<void> {
    while (!this.#isPlaying && this.#steps === 0 && !this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = null
    }
    if (!this.#isPlaying) this.#steps -= 1
    this.signal.throwIfAborted()
  }
}
