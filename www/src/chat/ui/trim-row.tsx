import { useSignal } from '@preact/signals'
import type { EditReport } from 'trimtab'
import { plural, short } from '../../numbers.js'
import { type Trim, trimPrice } from '../agent/trims.js'
import { shortened } from '../content/portion.js'
import { readable } from '../content/terminal.js'
import type { Shown } from '../shown.js'
import { isPaused, past, prices, resumeTrimming, undoTrim } from '../state.js'
import { viewed } from '../viewed.js'
import { Icon } from './icons.js'
import { placeName } from './place-name.js'

interface Props {
  readonly trim: Trim
  readonly isLast: boolean
  readonly shown: Shown
}

/** Describes a trim: what was removed, why, what it cost, and how to undo it. */
export function TrimRow({ trim, isLast, shown }: Props) {
  const { request, edits, cuts } = trim
  const { overhead = 0 } = shown.requests[request] ?? {}
  const [before, after] = [trim.before + overhead, trim.after + overhead]
  const first = cuts[0]?.request ?? request
  const open = useSignal<'what' | 'why' | 'undo' | null>(null)
  const toggle = (part: 'what' | 'why' | 'undo') => () => {
    open.value = open.value === part ? null : part
  }
  const price = trimPrice(shown.requests, trim, prices.value)
  // Calls excluded by the user are restored one by one, at each call.
  const isExcluded = trim.by === 'user'
  const what = isExcluded ? 'Excluded' : 'Trimmed'
  const isNewest = isLast && past.value === null && viewed.value === null
  const canUndo = isNewest && !isExcluded && shown.requests[first]?.stateBefore !== undefined
  const isUndone = canUndo && isPaused.value
  return (
    <section class="row trim" aria-label={`${what} before request ${request + 1}`}>
      <p class="trim-head">
        <Icon name={isExcluded ? 'exclude' : 'scissors'} size={16} />
        <span>
          {what} before request {request + 1}: <b>{short(before)}</b> → <b>{short(after)}</b> tokens
          {short(before) === short(after) ? ` (−${short(before - after)})` : ''}
        </span>
      </p>
      <p class="trim-note">
        {editWords(trim)} · {priceWords(price)}
        {cuts.length > 1 ? ` · since request ${first + 1}` : ''}
      </p>
      {isNewest && isPaused.value ? (
        <p class="trim-actions">
          {isUndone ? 'Undone: sent in full from the next request on. ' : ''}Trimming is paused.
          <button type="button" class="link" onClick={resumeTrimming}>
            Resume trimming
          </button>
        </p>
      ) : null}
      {isUndone ? null : (
        <p class="trim-actions">
          <button type="button" class="link" aria-expanded={open.value === 'what'} onClick={toggle('what')}>
            See what
          </button>
          <button type="button" class="link" aria-expanded={open.value === 'why'} onClick={toggle('why')}>
            Why
          </button>
          {canUndo ? (
            <button type="button" class="link" aria-expanded={open.value === 'undo'} onClick={toggle('undo')}>
              Undo…
            </button>
          ) : null}
        </p>
      )}
      {open.value === 'what' ? <What edits={edits} shown={shown} /> : null}
      {open.value === 'why' ? <Why edits={edits} /> : null}
      {open.value === 'undo' && !isUndone ? (
        <div class="trim-open">
          <p>
            The next request sends ~{short(before - after)} tokens more, and the cache is rewritten from
            there. Trimming is then paused until you resume it.
          </p>
          <button type="button" class="button small" onClick={() => undoTrim(first)}>
            Undo the trim
          </button>
        </div>
      ) : null}
    </section>
  )
}

/** Describes the edits; an excluded call and its result count as one. */
function editWords({ by, edits }: Trim): string {
  if (by === 'policy') return `${plural(edits.length, 'result')} shortened`
  const blocks = edits.filter(({ tool }) => tool !== null).length
  return `${plural(Math.ceil(blocks / 2), 'call')} taken out`
}

function priceWords(requests: number): string {
  if (requests <= 0) return 'cheaper at once'
  if (!Number.isFinite(requests)) return 'does not pay for itself'
  return `the cache is rewritten; pays back after ${plural(requests, 'request')}`
}

function What({ edits, shown }: { edits: readonly EditReport[]; shown: Shown }) {
  return (
    <ul class="trim-open trim-list">
      {edits.map((edit) => (
        <li key={`${edit.message}.${edit.block}`}>
          <span class="trim-block">
            <bdi>{placeName(edit, shown.history)}</bdi>
          </span>
          <span class="card-size">
            <s>{short(edit.tokensBefore)}</s> <b>{short(edit.tokensAfter)}</b>
          </span>
          <code>{readable(edit.text ?? '(taken out)')}</code>
        </li>
      ))}
    </ul>
  )
}

function Why({ edits }: { edits: readonly EditReport[] }) {
  const reasons = new Map<string, number>()
  for (const { reason } of edits) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  return (
    <ul class="trim-open trim-list">
      {[...reasons].map(([reason, times]) => (
        <li key={reason}>
          {times > 1 ? `${times} × ` : ''}
          {shortened(reason)}
        </li>
      ))}
    </ul>
  )
}
