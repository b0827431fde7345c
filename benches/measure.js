// Timing several rivals on the same work, in turns, so that what disturbs the machine disturbs all of them alike.
import { setImmediate } from 'node:timers/promises'

/** So that nobody pays for the garbage of those before. Finalisers run between turns of the event loop. */
export async function collectGarbage() {
  for (let i = 0; i < 2; i++) {
    globalThis.gc()
    await setImmediate()
  }
}

/** Keeps the last result, so that no rival's work can be left out. */
const sink = { result: undefined }

/** The same entries, beginning with another one at each turn. */
export function rotated(list, turn) {
  const first = turn % list.length
  return [...list.slice(first), ...list.slice(0, first)]
}

/** Processor time of this process so far, in milliseconds. */
export function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Times by rival's name. */
export class Times {
  #byName = new Map()

  /** Times work, and gives its result back. */
  measure(name, work) {
    const start = performance.now()
    sink.result = work()
    this.add(name, performance.now() - start)
    return sink.result
  }

  /** Times work until its promise is kept. */
  async measureAsync(name, work) {
    const start = performance.now()
    sink.result = await work()
    this.add(name, performance.now() - start)
    return sink.result
  }

  /** Adds a time that was measured elsewhere. */
  add(name, milliseconds) {
    const times = this.#byName.get(name)
    if (times === undefined) this.#byName.set(name, [milliseconds])
    else times.push(milliseconds)
  }

  clear() {
    this.#byName.clear()
  }

  /** The time that this part of all measurements does not exceed. */
  quantile(name, part) {
    const times = this.#byName.get(name).toSorted((a, b) => a - b)
    const place = part * (times.length - 1)
    const below = times[Math.floor(place)]
    return below + (times[Math.ceil(place)] - below) * (place % 1)
  }

  median(name) {
    return this.quantile(name, 0.5)
  }

  /**
   * The mean over `steps` steps that were measured in their order, again and again: of each step the fastest time, so
   * that what other programs took is left out.
   */
  fastest(name, steps) {
    const times = this.#byName.get(name)
    const least = times.slice(0, steps)
    for (const [i, time] of times.entries()) least[i % steps] = Math.min(least[i % steps], time)
    return least.reduce((sum, time) => sum + time, 0) / steps
  }
}
