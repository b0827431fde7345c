// Times several rivals on the same work, taking turns, so that disturbances of the machine affect all of them equally.
import { setImmediate } from 'node:timers/promises'

/** Collects garbage, so that no rival pays for that of earlier ones. Finalisers run between turns of the event loop. */
export async function collectGarbage() {
  for (let i = 0; i < 2; i++) {
    globalThis.gc()
    await setImmediate()
  }
}

/** Keeps the last result, so that no rival's work can be optimised away. */
const sink = { result: undefined }

/** Rotates a list, so that each turn starts with another entry. */
export function rotated(list, turn) {
  const first = turn % list.length
  return [...list.slice(first), ...list.slice(0, first)]
}

/** Processor time of this process so far, in milliseconds. */
export function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Times by name of the rival. */
export class Times {
  #byName = new Map()

  /** Times `work`, and returns its result. */
  measure(name, work) {
    const start = performance.now()
    sink.result = work()
    this.add(name, performance.now() - start)
    return sink.result
  }

  /** Times `work` until its promise resolves. */
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

  /** Quantile of the measurements: this part of them is at most the returned time. */
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
   * Mean over `steps` steps that were measured repeatedly in order: takes the fastest time of each step, which excludes
   * time used by other programs.
   */
  fastest(name, steps) {
    const times = this.#byName.get(name)
    const least = times.slice(0, steps)
    for (const [i, time] of times.entries()) least[i % steps] = Math.min(least[i % steps], time)
    return least.reduce((sum, time) => sum + time, 0) / steps
  }
}
