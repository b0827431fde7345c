import { off, project } from 'trimtab'
import { cheapestPolicy, type LostEvidence, simulate } from 'trimtab/money'
import type { Comparing, Previewed, Told } from './protocol.js'

/** Number of places listed per policy, and the number of characters of each text. */
const [MOST_LOST, LOST_CHARS] = [500, 300]

/** Replays a session under each of the policies, and reports each as soon as it is known. */
export function compare(
  messages: readonly object[],
  { policies, ...options }: Comparing,
  tell: (told: Told) => void,
): void {
  let lost: LostEvidence[] = []
  const simulation = simulate(messages, policies, {
    ...options,
    bounds: false,
    onProgress: (done) => tell({ kind: 'progress', done }),
    onLost(one) {
      // The list shows positions: the start of a long text is enough.
      if (lost.length < MOST_LOST) lost.push({ ...one, text: one.text.slice(0, LOST_CHARS) })
    },
    onPolicy(policy) {
      tell({ kind: 'policy', policy })
      tell({ kind: 'lost', lost })
      lost = []
    },
  })
  tell({ kind: 'compared', cheapest: cheapestPolicy(simulation).name, requests: simulation.requests })
  // The bounds take longer than all replays together, so they are reported last.
  const { bounds } = simulate(messages, { off: off() }, options)
  tell({ kind: 'done', bounds })
}

/** Returns the size of the next request under a policy. */
export function preview(
  messages: readonly object[],
  { name, policy, format, messages: count, state }: Previewed,
): Told {
  const { report } = project(messages.slice(0, count), policy, {
    format,
    ...(state === undefined ? {} : { state }),
  })
  const { tokensBefore: full, tokensAfter: sent, edits } = report
  return { kind: 'preview', name, next: { full, sent, edits: edits.length } }
}
