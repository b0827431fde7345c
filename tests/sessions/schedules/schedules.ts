// Every order of the steps of a few programs that share something: a folder, a key-value storage. A step is one call to
// what is shared. Programs are deterministic, so a point is reached again by running its steps again, and two points at
// which the shared state is equal and every program was answered the same go on in the same ways: they are one.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

/** What the programs share, made anew for each run. */
interface World<Shared> {
  shared: Shared
  /** All of it as a text. */
  state(): string
}

/**
 * Does one call to what is shared when it is its program's turn.
 *
 * @param isPrivate That no other program could notice the call or change its result: it is then no choice.
 */
export type Step = <T>(isPrivate: boolean, call: () => T | Promise<T>) => Promise<T>

export interface Scenario<Shared, Result> {
  world(): Promise<World<Shared>>
  /** Each runs to its end, or up to a point where it is killed. */
  programs: ((shared: Shared, step: Step) => Promise<Result>)[]
  /** How many of the programs may be killed, each before any of its steps. Default: 0. */
  kills?: number
  /** Says what is wrong at the end; a killed program has no result. */
  check(shared: Shared, results: (Result | undefined)[]): Promise<string[]>
}

export interface Explored {
  /** How many orders of steps there are. */
  schedules: number
  /** How many points, merged, they lead through. */
  points: number
  /** Of the schedules, how many end with this. */
  faults: Record<string, number>
}

/** A program's next step is due, or (`kill`) it ends there. */
interface Choice {
  program: number
  kill: boolean
}

const current = new AsyncLocalStorage<{ program: number; names: number }>()

/** Within a program, names at random are those of the program, the same in every run, and it waits for no time to pass. */
async function deterministically<T>(work: () => Promise<T>): Promise<T> {
  const { getRandomValues } = crypto
  const { setTimeout } = globalThis
  crypto.getRandomValues = ((bytes: Uint8Array<ArrayBuffer>) => {
    const own = current.getStore()
    if (own === undefined) return getRandomValues.call(crypto, bytes)
    bytes.fill(0)
    bytes[0] = own.program
    bytes[bytes.length - 1] = own.names++
    return bytes
  }) as typeof crypto.getRandomValues
  globalThis.setTimeout = ((done: () => void, time?: number) =>
    current.getStore() === undefined ? setTimeout(done, time) : queueMicrotask(done)) as typeof setTimeout
  try {
    return await work()
  } finally {
    Object.assign(crypto, { getRandomValues })
    Object.assign(globalThis, { setTimeout })
  }
}

/** The program that runs: 0, 1, ...; nothing outside of one. */
export const runningProgram = (): number | undefined => current.getStore()?.program

class Run<Shared, Result> {
  readonly #pending = new Map<number, { isPrivate: boolean; go: () => Promise<void> }>()
  readonly #seen: string[]
  readonly results: (Result | undefined)[]
  readonly #world: World<Shared>
  #kills: number

  constructor(scenario: Scenario<Shared, Result>, world: World<Shared>) {
    this.#world = world
    this.#kills = scenario.kills ?? 0
    this.#seen = scenario.programs.map(() => '')
    this.results = scenario.programs.map(() => undefined)
    for (const [program, start] of scenario.programs.entries()) {
      const step: Step = (isPrivate, call) =>
        new Promise((resolve, reject) => {
          const go = async () => {
            this.#pending.delete(program)
            const [answer, settle] = await Promise.resolve()
              .then(call)
              .then(
                (value) => [textOf(value), () => resolve(value)] as const,
                (error: unknown) => [String(error), () => reject(error)] as const,
              )
            this.#seen[program] = digest(`${this.#seen[program]} ${answer}`)
            settle()
          }
          this.#pending.set(program, { isPrivate, go: () => current.run({ program, names: 0 }, go) })
        })
      void current.run({ program, names: 0 }, async () => {
        this.results[program] = await start(world.shared, step)
        this.#seen[program] += ' ended'
      })
    }
  }

  get shared(): Shared {
    return this.#world.shared
  }

  /** Runs what is no choice; then the choices that there are. */
  async choices(): Promise<Choice[]> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const own = [...this.#pending.values()].find(({ isPrivate }) => isPrivate)
      if (own === undefined) break
      await own.go()
    }
    const programs = [...this.#pending.keys()].sort()
    const steps = programs.map((program) => ({ program, kill: false }))
    return this.#kills === 0 ? steps : [...steps, ...programs.map((program) => ({ program, kill: true }))]
  }

  point(): string {
    return digest(`${this.#kills} ${this.#seen.join(' ')} ${this.#world.state()}`)
  }

  async take({ program, kill }: Choice): Promise<void> {
    if (!kill) return this.#pending.get(program)?.go()
    this.#kills--
    this.#seen[program] = 'killed'
    this.#pending.delete(program)
  }
}

/** @throws What a program throws is a bug of the scenario's. */
export function explore<Shared, Result>(scenario: Scenario<Shared, Result>): Promise<Explored> {
  return deterministically(() => exploreAll(scenario))
}

async function exploreAll<Shared, Result>(scenario: Scenario<Shared, Result>): Promise<Explored> {
  /** Of each point, where its choices lead; of an end, what is wrong there. */
  const points = new Map<string, { next: string[]; faults: string[] }>()
  const open: { choices: Choice[]; from: { next: string[] } | undefined; at: number }[] = [
    { choices: [], from: undefined, at: 0 },
  ]
  let first = ''
  for (let work = open.pop(); work !== undefined; work = open.pop()) {
    const run = new Run(scenario, await scenario.world())
    for (const choice of work.choices) {
      await run.choices()
      await run.take(choice)
    }
    let { choices: taken, from, at } = work
    for (;;) {
      const choices = await run.choices()
      const point = run.point()
      if (from === undefined) first = point
      else from.next[at] = point
      if (points.has(point)) break
      const found: { next: string[]; faults: string[] } = { next: choices.map(() => ''), faults: [] }
      points.set(point, found)
      const [now] = choices
      if (now === undefined) {
        found.faults = await scenario.check(run.shared, run.results)
        break
      }
      for (let i = 1; i < choices.length; i++)
        open.push({ choices: [...taken, choices[i] as Choice], from: found, at: i })
      await run.take(now)
      taken = [...taken, now]
      from = found
      at = 0
    }
  }
  return counted(points, first)
}

function counted(points: Map<string, { next: string[]; faults: string[] }>, first: string): Explored {
  const known = new Map<string, Omit<Explored, 'points'>>()
  const count = (point: string): Omit<Explored, 'points'> => {
    const before = known.get(point)
    if (before !== undefined) return before
    const { next, faults } = points.get(point) as { next: string[]; faults: string[] }
    const sum: Omit<Explored, 'points'> = { schedules: next.length === 0 ? 1 : 0, faults: {} }
    for (const fault of new Set(faults)) sum.faults[fault] = 1
    for (const child of next.map(count)) {
      sum.schedules += child.schedules
      for (const [fault, times] of Object.entries(child.faults))
        sum.faults[fault] = (sum.faults[fault] ?? 0) + times
    }
    known.set(point, sum)
    return sum
  }
  return { ...count(first), points: points.size }
}

const digest = (text: string) => createHash('sha1').update(text).digest('base64')

function textOf(value: unknown): string {
  if (typeof value === 'function') return 'function'
  return JSON.stringify(value) ?? 'undefined'
}
