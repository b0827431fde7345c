/** A result as a plan sees it. Results are in the order in which they stand in the requests. */
export interface PlannedResult {
  /** The first request that it is part of. It is shown there. */
  arrives: number
  /** The first request that need not show it any more; at least `arrives + 1`. */
  free: number
  /** Tokens that its stub saves in every request. */
  saves: number
  /** Tokens of a request before it, with every result cleared. */
  before: number
}

/** A session as a plan sees it. */
export interface PlannedSession {
  /** Tokens of each request, with every result cleared. */
  cleared: readonly number[]
  /** Of these, the tokens that the request before did not have. */
  fresh: readonly number[]
  /** Whether a request finds the cache empty. The first one does. */
  isCold: readonly boolean[]
  results: readonly PlannedResult[]
  /** The price of a token from the cache. */
  read: number
  /** What a token that is written to the cache costs beyond that. */
  writeExtra: number
}

/** When each result is cleared: the request that first shows its stub, or the number of requests for never. */
export interface Plan {
  cost: number
  clearedAt: number[]
  /** Steps that the search took. */
  effort: number
}

/**
 * The cheapest plan: when to clear which result for good, each being shown until it is free.
 *
 * A plan is a set of rewrites: at request `r` everything from result `p` on is written anew. That costs
 * `W(p, r) = writeExtra * (tokens behind p in request r, without those that are new there)`, and clears every result
 * behind `p` that is free by then: leaving one would save nothing. A result is so cleared at the first rewrite from its
 * place or before it that comes when it is free, and until then costs `read * saves` a request. A cold request is a
 * rewrite from the start that costs the same whatever is decided.
 *
 * *Nesting.* The rewrites that matter to result `p` are those from `p` or before it; they matter to all later results
 * too. So let `H(p, a, b)` be the least that results from `p` on cost between two rewrites at `a` and `b` that begin
 * before them. What is between two such rewrites is independent of what is outside: results that were free by `a` are
 * gone, and all others that are free by `b` go at `b`. `W(p, r)` depends on `p` and `r` alone, as what is free is gone.
 *
 * *One rewrite at a place.* Of several rewrites from exactly `p` between `a` and `b` only the first after `p` is free
 * does anything for `p`. The others could as well begin at `p + 1`, which costs no more. So
 *
 *     H(p, a, b) = H(p + 1, a, b)                                        unless a < free(p) < b, else the least of
 *                  read * saves(p) * (b - free(p)) + H(p + 1, a, b)       (p is carried to b)
 *                  read * saves(p) * (r - free(p)) + W(p, r) + H(p + 1, a, r) + H(p + 1, r, b)    free(p) <= r < b
 *
 * *Effort.* Results from `p` on come at `arrives(p)` or later, so all `a` before that are one, and `a` runs from
 * `arrives(p)` to `free(p)` alone: a single row for a result that nothing needs later. With `n` requests, as many
 * results and evidence `d` requests old that is `O(n³ (1 + d) / 6)` steps at most, and `O(n²)` numbers.
 */
export function cheapestPlan(session: PlannedSession): Plan {
  const { results, read } = session
  const size = session.cleared.length + 1
  const table = new Intervals(size)
  const rewrites = new RewriteCosts(session)
  const splits: Split[] = new Array<Split>(results.length)
  for (let p = results.length - 1; p >= 0; p--) {
    const result = results[p] as PlannedResult
    table.reach(result.arrives)
    rewrites.add(result)
    splits[p] = table.improve(result, read * result.saves, rewrites.from(result))
  }
  table.reach(0)
  const cold = coldRequests(session)
  const bounds = [...cold, size - 1]
  let cost = fixedCost(session)
  cold.forEach((start, index) => {
    if (start > 0) cost += rewrites.whole(start)
    cost += table.between(start, bounds[index + 1] as number)
  })
  return { cost, clearedAt: readBack(results, splits, cold, size - 1), effort: table.effort }
}

/** The requests that begin with an empty cache. */
function coldRequests({ isCold }: PlannedSession): number[] {
  return isCold.flatMap((cold, request) => (cold || request === 0 ? [request] : []))
}

/** What is paid whatever the plan: all that is in a request, as long as it has to be, and the first writing of it. */
function fixedCost({ cleared, fresh, results, read, writeExtra }: PlannedSession): number {
  const tokens = cleared.reduce((sum, each) => sum + each, 0)
  const written = fresh.reduce((sum, each) => sum + each, 0)
  let cost = read * tokens + writeExtra * written
  for (const { arrives, free, saves } of results) cost += saves * (read * (free - arrives) + writeExtra)
  return cost
}

/** At which request each interval of a result is split; 0 where it is not. */
interface Split {
  firstRow: number
  at: Uint16Array | Uint32Array
  columns: number
  firstColumn: number
}

/** `H` for the results so far, from the newest on. Rows before `reached` are as that one. */
class Intervals {
  readonly #size: number
  readonly #cost: Float64Array
  #reached: number
  effort = 0

  constructor(size: number) {
    this.#size = size
    this.#cost = new Float64Array(size * size)
    this.#reached = size - 1
  }

  between(from: number, to: number): number {
    return this.#cost[from * this.#size + to] as number
  }

  /** Makes the rows from `request` on those of the results so far. */
  reach(request: number): void {
    const size = this.#size
    const row = this.#cost.subarray(this.#reached * size, (this.#reached + 1) * size)
    for (; this.#reached > request; this.#reached--) this.#cost.set(row, (this.#reached - 1) * size)
  }

  /** Adds a result, with what a rewrite from it costs at each request. */
  improve({ arrives, free }: PlannedResult, carry: number, rewrite: Float64Array): Split {
    const size = this.#size
    const rows = Math.max(0, Math.min(free, size) - arrives)
    const columns = Math.max(0, size - 1 - free)
    const at = size > 0xffff ? new Uint32Array(rows * columns) : new Uint16Array(rows * columns)
    const split = { firstRow: arrives, at, columns, firstColumn: free + 1 }
    const cost = this.#cost
    const before = new Float64Array(size)
    this.effort += (rows * columns * columns) / 2
    for (let a = arrives; a < arrives + rows; a++) {
      const row = a * size
      before.set(cost.subarray(row, row + size))
      const chosen = (a - arrives) * columns - free - 1
      for (let b = free + 1; b < size; b++) cost[row + b] = (cost[row + b] as number) + carry * (b - free)
      for (let r = free; r < size - 1; r++) {
        const base = carry * (r - free) + (rewrite[r] as number) + (before[r] as number)
        const behind = r * size
        for (let b = r + 1; b < size; b++) {
          const total = base + (cost[behind + b] as number)
          if (total < (cost[row + b] as number)) {
            cost[row + b] = total
            at[chosen + b] = r
          }
        }
      }
    }
    return split
  }
}

/** `W`: what rewrites cost, as results are added from the newest on. */
class RewriteCosts {
  readonly #session: PlannedSession
  /** Tokens of each request beyond its cleared ones, without what is new in it: of results that are not free yet. */
  readonly #held: Float64Array
  readonly #costs: Float64Array

  constructor(session: PlannedSession) {
    this.#session = session
    this.#held = new Float64Array(session.cleared.length)
    this.#costs = new Float64Array(session.cleared.length)
  }

  add({ arrives, free, saves }: PlannedResult): void {
    const held = this.#held
    const end = Math.min(free, held.length)
    for (let r = arrives + 1; r < end; r++) held[r] = (held[r] as number) + saves
  }

  /** Of rewrites from a result on, by request. */
  from({ free, before }: PlannedResult): Float64Array {
    for (let r = free; r < this.#costs.length; r++) this.#costs[r] = this.#at(r, before)
    return this.#costs
  }

  whole(request: number): number {
    return this.#at(request, 0)
  }

  #at(request: number, before: number): number {
    const { cleared, fresh, writeExtra } = this.#session
    const old = (cleared[request] as number) - (fresh[request] as number) - before
    return writeExtra * (old + (this.#held[request] as number))
  }
}

/** The plan of the choices made: intervals as they were split, from the oldest result on. */
function readBack(
  results: readonly PlannedResult[],
  splits: readonly Split[],
  cold: readonly number[],
  end: number,
): number[] {
  const rewrites = [...cold, end]
  return results.map(({ arrives, free }, p) => {
    const next = rewrites.findIndex((request) => request >= free)
    if (next < 0) return end
    const to = rewrites[next] as number
    if (to === free) return to
    const from = Math.max(arrives, rewrites[next - 1] as number)
    const { firstRow, at, columns, firstColumn } = splits[p] as Split
    const split = at[(from - firstRow) * columns + (to - firstColumn)] as number
    if (split === 0) return to
    rewrites.splice(next, 0, split)
    return split
  })
}
