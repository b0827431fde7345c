import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SimulatedPolicy } from 'trimtab/money'
import { evidenceShare } from 'trimtab/money'
import { plural, short } from '../../numbers.js'
import {
  askNext,
  type Comparison,
  cancelComparison,
  compare,
  comparison,
  endComparison,
} from '../comparison/compare.js'
import { dollars, inDollars } from '../comparison/dollars.js'
import { POLICIES, type PolicyId } from '../policies.js'
import { preview } from '../preview.js'
import { policyId, shown } from '../state.js'
import { PolicyPreview } from './policy-preview.js'
import { PriceChoice } from './price-choice.js'

/** Shows what each policy would have cost over this session, and how much evidence it keeps; computed on request. */
export function PolicyTable() {
  const now = comparison.value
  const chosen = useSignal<PolicyId | null>(null)
  const { conversation } = shown.value
  useEffect(() => {
    chosen.value = null
    // The session changed: end the comparison of the one before.
    if (comparison.peek()?.conversation !== conversation) endComparison()
  }, [conversation])
  const row = now?.rows.find(({ name }) => name === chosen.value)
  useEffect(() => {
    preview.value = row?.contextTokens ?? null
    return () => {
      preview.value = null
    }
  }, [row])
  const start = () => {
    chosen.value = null
    void compare()
  }
  return (
    <section class="comparison" aria-labelledby="comparison-title">
      <div class="blocks-head">
        <h3 id="comparison-title">What each policy costs</h3>
        {now !== null && now.done !== null ? (
          <button type="button" class="button small" onClick={cancelComparison}>
            Cancel
          </button>
        ) : (
          <button type="button" class="button small" onClick={start}>
            {now === null ? 'Compare' : 'Compare again'}
          </button>
        )}
      </div>
      <PriceChoice />
      {now === null ? (
        <p class="quiet">Replays this session under each policy, request by request, in the background.</p>
      ) : (
        <Result
          now={now}
          chosen={chosen.value}
          onChoose={(name) => {
            chosen.value = chosen.value === name ? null : name
            askNext(name)
          }}
        />
      )}
      {now === null || row === undefined ? null : <PolicyPreview now={now} row={row} />}
    </section>
  )
}

const COLUMNS: readonly { readonly name: string; readonly title?: string }[] = [
  { name: 'Policy' },
  { name: 'Cost', title: 'All requests with the prompt cache, 1 for sending everything' },
  { name: 'Kept', title: 'Where a later step relied on an earlier text: how often it was in view' },
  { name: 'Peak', title: 'Tokens of the largest request' },
  { name: 'Regret', title: 'Cost as a multiple of the cheapest plan that keeps all evidence' },
]

interface ResultProps {
  readonly now: Comparison
  readonly chosen: PolicyId | null
  onChoose(name: PolicyId): void
}

function Result({ now, chosen, onChoose }: ResultProps) {
  const { rows, done, failure, cheapest, bounds } = now
  return (
    <>
      {done === null ? null : (
        <label class="comparison-progress">
          <span class="quiet">{done < 1 ? `${Math.floor(done * 100)} %` : 'Regret…'}</span>
          <progress max={1} {...(done < 1 ? { value: done } : {})} />
        </label>
      )}
      {failure === null ? null : (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      {rows.length === 0 ? null : (
        <table class="policy-table">
          <thead>
            <tr>
              {COLUMNS.map(({ name, title }) => (
                <th key={name} scope="col" title={title}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.name}
                row={row}
                regret={bounds === null ? null : row.cost / bounds.all.cost}
                isChosen={row.name === chosen}
                isCheapest={row.name === cheapest}
                onChoose={() => onChoose(row.name)}
              />
            ))}
          </tbody>
        </table>
      )}
      {cheapest === null ? null : <Reason now={now} cheapest={cheapest} />}
    </>
  )
}

interface RowProps {
  readonly row: Comparison['rows'][number]
  readonly regret: number | null
  readonly isChosen: boolean
  readonly isCheapest: boolean
  onChoose(): void
}

function Row({ row, regret, isChosen, isCheapest, onChoose }: RowProps) {
  const { name, relativeCost, cost, evidence, peakTokens, overWindow } = row
  return (
    <tr data-policy={name} data-chosen={isChosen} data-cheapest={isCheapest} onClick={onChoose}>
      <th scope="row">
        <button
          type="button"
          class="link"
          aria-pressed={isChosen}
          onClick={(event) => {
            event.stopPropagation()
            onChoose()
          }}
        >
          {POLICIES[name].name}
        </button>
        {isCheapest ? <span class="mark mark-cheapest">recommended</span> : null}
        {name === policyId.value ? <span class="mark">in use</span> : null}
      </th>
      <td data-more={relativeCost > 1.005}>
        {relativeCost.toFixed(2)}
        {dollars.value === null ? null : <small>{inDollars(cost, dollars.value)}</small>}
      </td>
      <td>{keptOf(evidence)}</td>
      <td data-more={(overWindow ?? 0) > 0} title={`${peakTokens.toLocaleString('en')} tokens`}>
        {short(peakTokens)}
      </td>
      <td>{regret === null ? '–' : regret.toFixed(2)}</td>
    </tr>
  )
}

/** Shows the evidence kept, such as `12/14`; a dash if there was none. */
function keptOf({ edits, files, failures }: SimulatedPolicy['evidence']) {
  const of = edits.of + files.of + failures.of
  const kept = edits.kept + files.kept + failures.kept
  const words = `edits ${edits.kept}/${edits.of}, files ${files.kept}/${files.of}, failures ${failures.kept}/${failures.of}`
  return of === 0 ? '–' : <span title={words}>{`${kept}/${of}`}</span>
}

/**
 * Explains why a policy is the cheapest. A policy that costs more than sending everything is never recommended, as
 * sending everything is one of those compared.
 */
function Reason({ now, cheapest }: { now: Comparison; cheapest: PolicyId }) {
  const best = now.rows.find(({ name }) => name === cheapest)
  if (best === undefined) return null
  const { refetched, evidence } = best
  const more = shown.value.messages.length - now.messages
  const lost = 1 - evidenceShare(evidence)
  const missed =
    refetched.texts === 0
      ? 'nothing that later steps needed was missing'
      : `${plural(refetched.texts, 'text')} that later steps needed would be fetched again, ${refetched.relativeCost.toFixed(2)} with that`
  return (
    <p class="quiet" data-reason>
      {cheapest === 'off' ? (
        <>Sending everything is cheapest here: nothing pays for rewriting the cache.</>
      ) : (
        <>
          <b>{POLICIES[cheapest].name}</b> costs least of those within the window:{' '}
          {best.relativeCost.toFixed(2)} of sending everything; {missed}.
          {lost > 0.05 ? ` It loses ${Math.round(100 * lost)} % of the evidence.` : ''}
        </>
      )}{' '}
      Over {plural(now.requests, 'request')}
      {more > 0 ? `; ${plural(more, 'message')} came since` : ''}.
    </p>
  )
}
