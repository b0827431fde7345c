// Explores every order of the steps of a few programs that share something: a folder, a key-value storage. A step is
// one call on the shared object. Programs are deterministic, so a point is reached again by repeating its steps. Two
// points with equal shared state, at which every program got the same results, continue in the same ways: they are
// merged. What a step does depends on the shared state and on the results that its own program got, so it is performed
// once for these, whatever the other programs got. A program can also be killed before a step, and a step can fail.
// Where the orders are too many, a sample of them is drawn.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

/** Shared state of the programs, created for each run. */
interface World<Shared> {
  shared: Shared
  /** What tells points apart: what is found now, as text. */
  state(): string
  /** All that a later step can notice, as text: open files without a name too. */
  whole(): string
  /** A copy, of which nothing is open. */
  copy(): Shared
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
  /** Returns what is wrong at the end, which it leaves as it is; a killed program has no result. */
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

/** What is known of a program between its steps; a killed or ended program has no next step. */
interface Local<Result> {
  /** Digest of the results of its steps. */
  seen: string
  next?: { isPrivate: boolean; failures: readonly string[] }
  result?: Result | undefined
}

/** Where programs are between two steps. */
interface State<Shared, Result> {
  kills: number
  failures: number
  programs: readonly Local<Result>[]
  world: Reached<Shared>
}

/** A state of the world, as digests, with a copy of it. */
interface Reached<Shared> {
  state: string
  whole: string
  copy: Shared
}

/** What a step does. */
interface Outcome<Shared, Result> {
  local: Local<Result>
  world: Reached<Shared>
}

/** Whether the program goes on before the others, because none of them can notice its step. */
const isFirst = <Result>({ next }: Local<Result>): boolean => next?.isPrivate === true

function choicesOf<Result>({
  kills,
  failures,
  programs,
}: Omit<State<unknown, Result>, 'world'>): readonly Choice[] {
  const ways = (program: number): Choice[] => {
    const failing = failures === 0 ? [] : (programs[program]?.next?.failures ?? [])
    return [{ program }, ...failing.map((failure) => ({ program, failure }))]
  }
  const own = programs.findIndex(isFirst)
  if (own >= 0) return ways(own)
  const running = [...programs.keys()].filter((program) => programs[program]?.next !== undefined)
  const steps = running.flatMap(ways)
  return kills === 0 ? steps : [...steps, ...running.map((program) => ({ program, kill: true }))]
}

const pointOf = ({ kills, failures, programs, world }: State<unknown, unknown>): string =>
  digest(`${kills} ${failures} ${programs.map(({ seen }) => seen).join(' ')} ${world.state}`)

class Run<Shared, Result> {
  readonly #pending = new Map<number, Pending>()
  /** Results of the steps of each program. */
  readonly #seen: string[][]
  readonly results: (Result | undefined)[]
  readonly #world: World<Shared>
  #kills: number
  #failures: number

  constructor(scenario: Scenario<Shared, Result>, world: World<Shared>) {
    this.#world = world
    this.#kills = scenario.kills ?? 0
    this.#failures = scenario.failures ?? 0
    this.#seen = scenario.programs.map(() => [])
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
            this.#seen[program]?.push(answer)
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
        this.#seen[program]?.push('ended')
      })
    }
  }

  get shared(): Shared {
    return this.#world.shared
  }

  /** Runs all private steps that have no choice. */
  async settle(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const own = [...this.#pending.values()].find(({ isPrivate }) => isPrivate)
      if (own === undefined || (this.#failures > 0 && own.failures.length > 0)) return
      await own.go()
    }
  }

  #local(program: number): Local<Result> {
    const next = this.#pending.get(program)
    return {
      seen: digest(this.#seen[program]?.join('\n') ?? ''),
      ...(next && { next: { isPrivate: next.isPrivate, failures: next.failures } }),
      result: this.results[program],
    }
  }

  state(): State<Shared, Result> {
    const world = {
      state: digest(this.#world.state()),
      whole: digest(this.#world.whole()),
      copy: this.#world.copy(),
    }
    const programs = this.results.map((_, program) => this.#local(program))
    return { kills: this.#kills, failures: this.#failures, programs, world }
  }

  choices(): readonly Choice[] {
    const programs = this.results.map((_, program) => {
      const next = this.#pending.get(program)
      return { seen: '', ...(next && { next }) }
    })
    return choicesOf({ kills: this.#kills, failures: this.#failures, programs })
  }

  async take({ program, kill, failure }: Choice): Promise<void> {
    if (failure !== undefined) this.#failures--
    if (kill) {
      this.#kills--
      this.#seen[program] = ['killed']
      this.#pending.delete(program)
    } else await this.#pending.get(program)?.go(failure)
    await this.settle()
  }
}

async function started<Shared, Result>(scenario: Scenario<Shared, Result>): Promise<Run<Shared, Result>> {
  const run = new Run(scenario, await scenario.world())
  await run.settle()
  return run
}

/** Performs steps, each once for the shared state and the results that its program got. */
class Steps<Shared, Result> {
  readonly #scenario: Scenario<Shared, Result>
  readonly #known = new Map<string, Outcome<Shared, Result>>()
  /** The last run, and how it came to where it is. */
  #last: { run: Run<Shared, Result>; path: Path | undefined } | undefined

  constructor(scenario: Scenario<Shared, Result>) {
    this.#scenario = scenario
  }

  async start(): Promise<State<Shared, Result>> {
    const run = await started(this.#scenario)
    this.#last = { run, path: undefined }
    return run.state()
  }

  /** The state after a choice. `path` leads to the state before it. */
  async after(
    state: State<Shared, Result>,
    choice: Choice,
    path: Path | undefined,
    taken: Path,
  ): Promise<State<Shared, Result>> {
    const { program, kill, failure } = choice
    const failures = state.failures - (failure === undefined ? 0 : 1)
    const { seen } = state.programs[program] as Local<Result>
    const key = `${program} ${kill ?? ''} ${failure ?? ''} ${failures} ${seen} ${state.world.whole}`
    // The last failure that there may be leaves the private steps of the others without a choice: they run too.
    if (state.programs.some((other, i) => i !== program && isFirst(other)))
      return this.#performed(state, path, taken)
    let outcome = this.#known.get(key)
    if (outcome === undefined) {
      const found = await this.#performed(state, path, taken)
      outcome = { local: found.programs[program] as Local<Result>, world: found.world }
      this.#known.set(key, outcome)
    }
    const { local, world } = outcome
    const programs = state.programs.map((other, i) => (i === program ? local : other))
    return { kills: state.kills - (kill ? 1 : 0), failures, programs, world }
  }

  /** Takes the last choice of `taken` in a run that is at `state`, which it reaches by `path`. */
  async #performed(
    state: State<Shared, Result>,
    path: Path | undefined,
    taken: Path,
  ): Promise<State<Shared, Result>> {
    let run = this.#last?.run
    if (run === undefined || this.#last?.path !== path) {
      run = await started(this.#scenario)
      for (const choice of choicesAlong(path)) await run.take(choice)
      if (wholeOf(run.state()) !== wholeOf(state)) throw new Error('a step depends on more than it may')
    }
    await run.take(taken.choice)
    this.#last = { run, path: taken }
    return run.state()
  }
}

/** Choices from the start, the last one first. */
interface Path {
  choice: Choice
  before: Path | undefined
}

function choicesAlong(path: Path | undefined): Choice[] {
  const choices: Choice[] = []
  for (let at = path; at !== undefined; at = at.before) choices.push(at.choice)
  return choices.reverse()
}

const wholeOf = (state: State<unknown, unknown>): string =>
  `${pointOf(state)} ${state.world.whole} ${JSON.stringify(state.programs.map(({ next }) => next ?? null))}`

/** @throws An error thrown by a program is a bug in the scenario. */
export function explore<Shared, Result>(scenario: Scenario<Shared, Result>): Promise<Explored> {
  return deterministically(() => exploreAll(scenario))
}

async function exploreAll<Shared, Result>(scenario: Scenario<Shared, Result>): Promise<Explored> {
  /** For each point, the points its choices lead to; for an end, the faults there. */
  const points = new Map<string, { next: string[]; faults: string[] }>()
  const steps = new Steps(scenario)
  const faultsAt = checking(scenario)
  const start = await steps.start()
  const first = pointOf(start)
  const open: { state: State<Shared, Result>; path: Path | undefined; point: string }[] = []
  const reach = (state: State<Shared, Result>, path: Path | undefined): string => {
    const point = pointOf(state)
    if (!points.has(point)) {
      points.set(point, { next: [], faults: [] })
      open.push({ state, path, point })
    }
    return point
  }
  reach(start, undefined)
  for (let work = open.pop(); work !== undefined; work = open.pop()) {
    const { state, path, point } = work
    const found = points.get(point) as { next: string[]; faults: string[] }
    const choices = choicesOf(state)
    if (choices.length === 0) found.faults = await faultsAt(state)
    for (const choice of choices) {
      const taken = { choice, before: path }
      found.next.push(reach(await steps.after(state, choice, path, taken), taken))
    }
  }
  return counted(points, first)
}

/** What is wrong at an end, found once for each shared state and results. */
function checking<Shared, Result>(
  scenario: Scenario<Shared, Result>,
): (state: State<Shared, Result>) => Promise<string[]> {
  const known = new Map<string, string[]>()
  return async ({ programs, world }) => {
    const results = programs.map(({ result }) => result)
    const key = `${world.whole} ${JSON.stringify(results)}`
    const faults = known.get(key) ?? (await scenario.check(world.copy, results))
    known.set(key, faults)
    return faults
  }
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
      const run = await started(scenario)
      const random = randomOf(seed)
      for (let choices = run.choices(); choices.length > 0; choices = run.choices()) {
        const plain = choices.filter(({ kill, failure }) => !kill && failure === undefined)
        const from = random() < 0.1 ? choices : plain
        await run.take(from[Math.floor(random() * from.length)] as Choice)
      }
      ends.add(pointOf(run.state()))
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
