/** A result in a plan. Results are in the order of their positions in the requests. */
export interface PlannedResult {
  /** The first request that contains it. It is shown there. */
  arrives: number
  /** The first request that need not show it any more; at least `arrives + 1`. */
  free: number
  /** Tokens that its stub saves in every request. */
  saves: number
  /** Tokens of a request before it, with every result cleared. */
  before: number
}

/** A session as input for a plan. */
export interface PlannedSession {
  /** Tokens of each request, with every result cleared. */
  cleared: readonly number[]
  /** The part of these tokens that the previous request did not have. */
  fresh: readonly number[]
  /** Whether a request finds the cache empty. The first one does. */
  isCold: readonly boolean[]
  results: readonly PlannedResult[]
  /** The price of a token read from the cache. */
  read: number
  /** The price of a token written to the cache, minus `read`. */
  writeExtra: number
}

/**
 * When each result is cleared: the first request that shows its stub, or the number of requests for never.
 */
export interface Plan {
  cost: number
  clearedAt: number[]
  /** Number of steps of the search. */
  effort: number
}

/**
 * Finds the cheapest plan: when to clear each result for good, with each result shown until it is free.
 *
 * A plan is a set of rewrites: at request `r` everything from result `p` on is written again. That costs
 * `W(p, r) = writeExtra * (tokens after p in request r, without those that are new there)`, and clears every
 * result after `p` that is free by then, because keeping one would save nothing. So a result is cleared at
 * the first rewrite from its position or before it that happens once it is free, and until then costs
 * `read * saves` per request. A cold request is a rewrite from the start whose cost does not depend on the
 * plan.
 *
 * *Nesting.* The rewrites that affect result `p` are those from `p` or before it; they affect all later
 * results too. So let `H(p, a, b)` be the least cost of the results from `p` on between two rewrites at `a`
 * and `b` that begin before them. What happens between two such rewrites is independent of the rest: results
 * that were free by `a` are gone, and all others that are free by `b` go at `b`. `W(p, r)` depends only on
 * `p` and `r`, because free results are gone.
 *
 * *One rewrite per position.* Of several rewrites from exactly `p` between `a` and `b` only the first after
 * `p` is free has an effect on `p`. The others could as well begin at `p + 1`, which costs no more. So
 *
 *     H(p, a, b) = H(p + 1, a, b)                                        unless a < free(p) < b, else the least of
 *                  read * saves(p) * (b - free(p)) + H(p + 1, a, b)       (p is carried to b)
 *                  read * saves(p) * (r - free(p)) + W(p, r) + H(p + 1, a, r) + H(p + 1, r, b)    free(p) <= r < b
 *
 * *Effort.* Results from `p` on arrive at `arrives(p)` or later, so all `a` before that are equal, and `a`
 * runs only from `arrives(p)` to `free(p)`: a single row for a result that is not needed later. With `n`
 * requests, as many results, and evidence `d` requests old, that is at most `O(n³ (1 + d) / 6)` steps and
 * `O(n²)` numbers. Most splits are skipped: `H` is not negative and does not fall with `b`, so a split at `r`
 * can only help from the first `b` on where carrying costs more than the split without `H(p + 1, r, b)`.
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

/** The requests that start with an empty cache. */
function coldRequests({ isCold }: PlannedSession): number[] {
  return isCold.flatMap((cold, request) => (cold || request === 0 ? [request] : []))
}

/**
 * The cost that every plan has: all content of the requests for as long as it must be shown, and its first
 * write.
 */
function fixedCost({ cleared, fresh, results, read, writeExtra }: PlannedSession): number {
  const tokens = cleared.reduce((sum, each) => sum + each, 0)
  const written = fresh.reduce((sum, each) => sum + each, 0)
  let cost = read * tokens + writeExtra * written
  for (const { arrives, free, saves } of results) cost += saves * (read * (free - arrives) + writeExtra)
  return cost
}

/** The request at which each interval of a result is split; 0 if it is not. */
interface Split {
  firstRow: number
  at: Uint16Array | Uint32Array
  columns: number
  firstColumn: number
}

/** `H` for the results so far, from the newest on. Rows before `reached` are equal to that row. */
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

  /** Fills the rows from `request` on for the results so far. */
  reach(request: number): void {
    const size = this.#size
    const row = this.#cost.subarray(this.#reached * size, (this.#reached + 1) * size)
    for (; this.#reached > request; this.#reached--) this.#cost.set(row, (this.#reached - 1) * size)
  }

  /**
   * Adds a result.
   *
   * @param rewrite The cost of a rewrite from it, by request.
   */
  improve({ arrives, free }: PlannedResult, carry: number, rewrite: Float64Array): Split {
    const size = this.#size
    const rows = Math.max(0, Math.min(free, size) - arrives)
    const columns = Math.max(0, size - 1 - free)
    const at = size > 0xffff ? new Uint32Array(rows * columns) : new Uint16Array(rows * columns)
    const split = { firstRow: arrives, at, columns, firstColumn: free + 1 }
    const cost = this.#cost
    const before = new Float64Array(size)
    for (let a = arrives; a < arrives + rows; a++) {
      const row = a * size
      before.set(cost.subarray(row, row + size))
      const last = row + size - 1
      this.effort += size
      const chosen = (a - arrives) * columns - free - 1
      for (let b = free + 1; b < size; b++) cost[row + b] = (cost[row + b] as number) + carry * (b - free)
      for (let r = free; r < size - 1; r++) {
        const base = carry * (r - free) + (rewrite[r] as number) + (before[r] as number)
        // Costs are not negative and do not fall along a row: a split can only help where the row costs more than
        // its base.
        if (base >= (cost[last] as number)) continue
        const behind = r * size
        const first = firstAbove(cost, base, row + r + 1, last) - row
        this.effort += size - first
        for (let b = first; b < size; b++) {
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

/** The first index from `from` to `to` whose value, in an ascending part of `values`, is more than `limit`. */
function firstAbove(values: Float64Array, limit: number, from: number, to: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((values[middle] as number) > limit) to = middle
    else from = middle + 1
  }
  return from
}

/** `W`: the cost of rewrites, updated as results are added from the newest on. */
class RewriteCosts {
  readonly #session: PlannedSession
  /** Per request: tokens of results that are not free yet and not new in it. */
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

  /** The cost of rewrites from a result on, by request. */
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

/** Reconstructs the plan from the recorded splits, from the oldest result on. */
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
