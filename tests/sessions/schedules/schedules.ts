// Explores every order of the steps of a few programs that share something: a folder, a key-value storage. A step is
// one call on the shared object. Programs are deterministic, so a point is reached again by repeating its steps. Two
// points with equal shared state, at which every program got the same results, continue in the same ways: they are
// merged. A program can also be killed before a step, and a step can fail. Where the orders are too many, a sample of
// them is drawn.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

/** Shared state of the programs, created for each run. */
interface World<Shared> {
  shared: Shared
  /** The whole state as text. */
  state(): string
}

/**
 * Performs one call on the shared object when it is the program's turn.
 *
 * @param isPrivate Whether no other program can notice the call or change its result: its order then does not matter.
 * @param failures Ways in which the call can fail, by name: each does what the failed call leaves behind, and throws or
 *   answers.
 */
export type Step = <T>(
  isPrivate: boolean,
  call: () => T | Promise<T>,
  failures?: Readonly<Record<string, () => T | Promise<T>>>,
) => Promise<T>

export interface Scenario<Shared, Result> {
  world(): Promise<World<Shared>>
  /** Each runs to its end, or up to a point where it is killed. */
  programs: ((shared: Shared, step: Step) => Promise<Result>)[]
  /** Maximum number of programs killed, each before any of its steps. Default: 0. */
  kills?: number
  /** Maximum number of steps that fail, in any of their ways. Default: 0. */
  failures?: number
  /** Returns what is wrong at the end; a killed program has no result. */
  check(shared: Shared, results: (Result | undefined)[]): Promise<string[]>
}

export interface Explored {
  /** Number of orders of steps. */
  schedules: number
  /** Number of distinct points on them, after merging. */
  points: number
  /** Number of schedules that end with each fault. */
  faults: Record<string, number>
}

/** Runs a program's next step, lets it fail in one of its ways, or (`kill`) ends the program there. */
interface Choice {
  program: number
  kill?: boolean
  failure?: string
}

interface Pending {
  isPrivate: boolean
  failures: string[]
  go(failure?: string): Promise<void>
}

const current = new AsyncLocalStorage<{ program: number; names: number }>()

/**
 * Runs `work` deterministically: within a program, random names are numbered and equal in every run, and timers fire at
 * once.
 */
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

/** The running program: 0, 1, ...; `undefined` outside a program. */
export const runningProgram = (): number | undefined => current.getStore()?.program

class Run<Shared, Result> {
  readonly #pending = new Map<number, Pending>()
  readonly #seen: string[]
  readonly results: (Result | undefined)[]
  readonly #world: World<Shared>
  #kills: number
  #failures: number

  constructor(scenario: Scenario<Shared, Result>, world: World<Shared>) {
    this.#world = world
    this.#kills = scenario.kills ?? 0
    this.#failures = scenario.failures ?? 0
    this.#seen = scenario.programs.map(() => '')
    this.results = scenario.programs.map(() => undefined)
    for (const [program, start] of scenario.programs.entries()) {
      const step: Step = (isPrivate, call, failures = {}) =>
        new Promise((resolve, reject) => {
          const go = async (failure?: string) => {
            this.#pending.delete(program)
            const [answer, settle] = await Promise.resolve()
              .then(failure === undefined ? call : failures[failure])
              .then(
                (value) => [textOf(value), () => resolve(value)] as const,
                (error: unknown) => [String(error), () => reject(error)] as const,
              )
            this.#seen[program] = digest(`${this.#seen[program]} ${answer}`)
            settle()
          }
          this.#pending.set(program, {
            isPrivate,
            failures: Object.keys(failures),
            go: (failure) => current.run({ program, names: 0 }, () => go(failure)),
          })
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

  /** Runs all private steps that have no choice, then returns the choices. */
  async choices(): Promise<Choice[]> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const own = [...this.#pending].find(([, { isPrivate }]) => isPrivate)
      if (own === undefined) break
      const [program, step] = own
      if (this.#failures > 0 && step.failures.length > 0) return this.#ways(program, step)
      await step.go()
    }
    const programs = [...this.#pending].sort(([a], [b]) => a - b)
    const steps = programs.flatMap(([program, step]) => this.#ways(program, step))
    if (this.#kills === 0) return steps
    return [...steps, ...programs.map(([program]) => ({ program, kill: true }))]
  }

  #ways(program: number, { failures }: Pending): Choice[] {
    const failing = this.#failures === 0 ? [] : failures.map((failure) => ({ program, failure }))
    return [{ program }, ...failing]
  }

  point(): string {
    return digest(`${this.#kills} ${this.#failures} ${this.#seen.join(' ')} ${this.#world.state()}`)
  }

  async take({ program, kill, failure }: Choice): Promise<void> {
    if (failure !== undefined) this.#failures--
    if (!kill) return this.#pending.get(program)?.go(failure)
    this.#kills--
    this.#seen[program] = 'killed'
    this.#pending.delete(program)
  }
}

/** @throws An error thrown by a program is a bug in the scenario. */
export function explore<Shared, Result>(scenario: Scenario<Shared, Result>): Promise<Explored> {
  return deterministically(() => exploreAll(scenario))
}

async function exploreAll<Shared, Result>(scenario: Scenario<Shared, Result>): Promise<Explored> {
  /** For each point, the points its choices lead to; for an end, the faults there. */
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

/** Seeds of a sample, for `npm run laws -- --only schedules` as many as asked for. */
export const runsOf = (count: number) => ({
  from: Number(process.env.TRIMTAB_SEED ?? 1),
  count: Number(process.env.TRIMTAB_CASES ?? count),
})

/** Draws schedules, each from its own seed: a step of any program, now and then one that fails or a kill. */
export async function sample<Shared, Result>(
  scenario: Scenario<Shared, Result>,
  { from, count }: { from: number; count: number },
): Promise<Explored> {
  return deterministically(async () => {
    const faults: Record<string, number> = {}
    const ends = new Set<string>()
    for (let seed = from; seed < from + count; seed++) {
      const run = new Run(scenario, await scenario.world())
      const random = randomOf(seed)
      for (let choices = await run.choices(); choices.length > 0; choices = await run.choices()) {
        const plain = choices.filter(({ kill, failure }) => !kill && failure === undefined)
        const from = random() < 0.1 ? choices : plain
        await run.take(from[Math.floor(random() * from.length)] as Choice)
      }
      ends.add(run.point())
      const found = await scenario.check(run.shared, run.results)
      for (const fault of new Set(found)) faults[fault] = (faults[fault] ?? 0) + 1
    }
    return { schedules: count, points: ends.size, faults }
  })
}

/** Numbers from 0 to 1 that depend on the seed alone (the generator mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
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
