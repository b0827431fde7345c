import { cheapestPlan, type Plan, type PlannedSession } from './cheapest-plan.js'

/**
 * A text that a request relied on. One of the results that show it must not be cleared before that request.
 */
export interface Need {
  request: number
  /** Positions of the results, ascending. */
  holders: readonly number[]
}

/** The cheapest plan that meets all needs. */
export interface KeepingPlan {
  /** Lower bound: no plan that meets the needs costs less. */
  least: number
  /** The cheapest plan found; it costs `least` unless the search was stopped. */
  plan: Plan
}

/** Maximum steps of the search: some seconds. */
const MOST_EFFORT = 3e9

/**
 * Finds the cheapest plan that meets all needs.
 *
 * A need with one holder determines how long that result is shown. A need with several holders is a choice:
 * at first it is ignored; if the plan does not meet it, its holders are tried one by one (branch and bound),
 * the newest first, because it is usually the right one. A branch is dropped if its plan costs as much as a
 * plan that meets all needs: the remaining needs could only add to its cost.
 */
export function cheapestKeeping(session: PlannedSession, needs: readonly Need[]): KeepingPlan {
  const choices = choicesOf(needs.filter(({ holders }) => holders.length > 1))
  const given = needs.filter(({ holders }) => holders.length === 1)
  const open: Branch[] = [
    { least: 0, asked: given.map(({ request, holders }) => ({ request, holder: holders[0] as number })) },
  ]
  // The initial plan, with the newest holder of each choice; the answer if there are no choices.
  let best = planFor(session, [
    ...(open[0] as Branch).asked,
    ...choices.map(({ request, holders }) => ({ request, holder: holders.at(-1) as number })),
  ])
  let effort = best.effort
  if (choices.length === 0) return { least: best.cost, plan: best }
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    if (branch.least >= best.cost) continue
    if (effort > MOST_EFFORT) {
      const least = Math.min(branch.least, ...open.map((one) => one.least), best.cost)
      return { least, plan: best }
    }
    const plan = planFor(session, branch.asked)
    effort += plan.effort
    if (plan.cost >= best.cost) continue
    const missed = choices.find((need) => !isMet(need, plan))
    if (missed === undefined) {
      best = plan
      continue
    }
    const { asked } = branch
    for (const holder of missed.holders)
      open.push({ least: plan.cost, asked: [...asked, { request: missed.request, holder }] })
  }
  return { least: best.cost, plan: best }
}

interface Asked {
  request: number
  holder: number
}

/** A branch of the search: the required results, and the cost of its parent's plan. */
interface Branch {
  least: number
  asked: readonly Asked[]
}

/**
 * Of needs with the same holders the last one implies the others, because a cleared result does not come
 * back.
 */
function choicesOf(needs: readonly Need[]): Need[] {
  const last = new Map<string, Need>()
  for (const need of needs) {
    const key = need.holders.join()
    if ((last.get(key)?.request ?? -1) < need.request) last.set(key, need)
  }
  return [...last.values()]
}

function isMet({ request, holders }: Need, { clearedAt }: Plan): boolean {
  return holders.some((holder) => (clearedAt[holder] as number) > request)
}

function planFor(session: PlannedSession, asked: readonly Asked[]): Plan {
  const results = session.results.map((result) => ({ ...result }))
  for (const { request, holder } of asked) {
    const result = results[holder]
    if (result !== undefined) result.free = Math.max(result.free, request + 1)
  }
  return cheapestPlan({ ...session, results })
}
