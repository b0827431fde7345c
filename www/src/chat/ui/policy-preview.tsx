import { useSignal } from '@preact/signals'
import { plural, short } from '../../numbers.js'
import type { Comparison } from '../comparison/compare.js'
import { asCommand, asJson, asTypeScript } from '../comparison/copied.js'
import { POLICIES } from '../policies.js'
import { exportName } from '../sessions.js'
import { context, policyId, replay, setPolicy } from '../state.js'
import { copied } from './copy-button.js'
import { LostEvidenceList } from './lost-evidence.js'

type Row = Comparison['rows'][number]

/** Shows what a policy would change before it is applied, and its text for copying. */
export function PolicyPreview({ now, row }: { now: Comparison; row: Row }) {
  const { name } = row
  const isInUse = name === policyId.value
  return (
    <div class="policy-preview">
      <p>
        <b>{POLICIES[name].name}</b>. {POLICIES[name].hint}
      </p>
      <Next now={now} row={row} />
      <LostEvidenceList key={name} lost={now.lost.get(name) ?? []} />
      <div class="policy-actions">
        <button type="button" class="button small primary" disabled={isInUse} onClick={() => setPolicy(name)}>
          {isInUse ? 'In use' : 'Apply'}
        </button>
        <Copies now={now} row={row} />
      </div>
    </div>
  )
}

/** Shows the next request under the previewed policy. */
function Next({ now, row: { name } }: { now: Comparison; row: Row }) {
  const next = now.next.get(name)
  const { sent, overhead } = context.value
  if (next === undefined) return <p class="quiet">Looking at the next request…</p>
  return (
    <p data-next>
      The next request sends ~{short(next.sent + overhead)} of {short(next.full + overhead)} tokens, with{' '}
      {plural(next.edits, 'edit')}; the last one sent ~{short(sent)}. The dashed line in the chart shows the
      whole session under this policy.
    </p>
  )
}

function Copies({ now, row: { name } }: { now: Comparison; row: Row }) {
  const said = useSignal('')
  const policy = now.policies[name]
  const file = replay.value?.name ?? exportName(now.conversation.title)
  const texts = {
    TypeScript: () => asTypeScript(policy),
    JSON: () => asJson(policy),
    'Command line': () => asCommand({ policy, file, prices: now.prices, window: now.window }),
  }
  return (
    <span class="copies">
      <span class="quiet">Copy as</span>
      {Object.entries(texts).map(([kind, text]) => (
        <button
          key={kind}
          type="button"
          class="link"
          onClick={async () => {
            said.value = (await copied(text())) ? `Copied as ${kind}` : 'The browser does not allow copying'
          }}
        >
          {kind}
        </button>
      ))}
      <span class="quiet" role="status">
        {said.value}
      </span>
    </span>
  )
}
