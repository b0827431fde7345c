import { off, project } from 'trimtab'
import { cheapestPolicy, type LostEvidence, simulate } from 'trimtab/money'
import { coreStarted } from '../../engine/core.js'
import { reasonOf } from '../agent/reason.js'
import type { Asked, Comparing, Previewed, Told } from './protocol.js'

/** One session: another one gets another worker. */
const messages: object[] = []

/** Of each policy so many places are listed, with so much of each text. */
const [MOST_LOST, LOST_CHARS] = [500, 300]

const tell = (told: Told) => postMessage(told)

function compare({ kind: _, policies, ...options }: Comparing & { kind: 'compare' }): void {
  let lost: LostEvidence[] = []
  const simulation = simulate(messages, policies, {
    ...options,
    bounds: false,
    onProgress: (done) => tell({ kind: 'progress', done }),
    onLost(one) {
      // The list shows where: of a long text its beginning does.
      if (lost.length < MOST_LOST) lost.push({ ...one, text: one.text.slice(0, LOST_CHARS) })
    },
    onPolicy(policy) {
      tell({ kind: 'policy', policy })
      tell({ kind: 'lost', lost })
      lost = []
    },
  })
  tell({ kind: 'compared', cheapest: cheapestPolicy(simulation).name, requests: simulation.requests })
  // The cheapest plan takes longer than all replays together: nobody waits for it to see the rest.
  const { bounds } = simulate(messages, { off: off() }, options)
  tell({ kind: 'done', bounds })
}

function preview({ name, policy, format, messages: count, state }: Previewed): void {
  const { report } = project(messages.slice(0, count), policy, {
    format,
    ...(state === undefined ? {} : { state }),
  })
  const { tokensBefore: full, tokensAfter: sent, edits } = report
  tell({ kind: 'preview', name, next: { full, sent, edits: edits.length } })
}

function answer(asked: Asked): void {
  if (asked.kind === 'messages') messages.push(...asked.messages)
  else if (asked.kind === 'compare') compare(asked)
  else preview(asked)
}

addEventListener('message', async ({ data }: MessageEvent<Asked>) => {
  try {
    await coreStarted
    answer(data)
  } catch (error) {
    tell({ kind: 'failed', reason: reasonOf(error) })
  }
})
