import type { Signal } from '@preact/signals'
import type { BlockFacts, EditReport } from 'trimtab'
import { categoryOf, placeOf } from '../../kinds.js'
import { plural, shortTokens } from '../../numbers.js'
import type { History } from '../agent/history.js'
import type { ToolUse } from '../agent/thread.js'
import { asked } from '../approval.js'
import { diffOf } from '../content/known-diffs.js'
import { shortened } from '../content/portion.js'
import { readable } from '../content/terminal.js'
import { activity, shown } from '../state.js'
import { CallActions, CallMark } from './call-actions.js'
import { LazyToolBody as ToolBody } from './lazy-tool-body.js'
import { TrimmedSize } from './trimmed-size.js'

/** Returns whether a card starts open: file edits do, as users want to see them. */
export const isOpenAtFirst = ({ call }: ToolUse, edit: EditReport | null): boolean =>
  edit === null && (call?.origin === 'edit' || call?.origin === 'write')

interface CardProps {
  readonly use: ToolUse
  /** Its edit in the last request. */
  readonly edit: EditReport | null
  readonly history: History
  readonly isOpen: Signal<boolean>
  /** Called when a call of a group receives the focus; not set outside of groups. */
  onUse?(): void
}

/** A call with its result. */
export function ToolCard({ use, edit, history, isOpen, onUse }: CardProps) {
  const { call, result } = use
  const block = result ?? call
  if (block === null) return null
  return (
    <details
      class="row card"
      data-kind={categoryOf({ ...block, kind: 'tool-result' })}
      data-trimmed={edit !== null}
      data-grouped={onUse !== undefined}
      open={isOpen.value}
      onFocusIn={onUse}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <span class="swatch" aria-hidden="true" />
        <span class="card-tool">{shortened(block.tool ?? 'tool')}</span>
        <span class="card-place" data-path={(call ?? block).path !== null}>
          <bdi>{shortened(placeOf(call ?? block) ?? call?.intent ?? '')}</bdi>
        </span>
        <CallMark id={block.callId} />
        <CardState call={call} result={result} edit={edit} history={history} />
      </summary>
      {isOpen.value ? (
        <div class="card-body">
          {edit === null ? null : <Stub edit={edit} />}
          <div class={edit === null ? 'original' : 'original is-trimmed'}>
            <ToolBody call={call} result={result} history={history} />
          </div>
          {result === null ? null : <CallActions block={block} edit={edit} />}
        </div>
      ) : null}
    </details>
  )
}

interface StateProps {
  readonly call: BlockFacts | null
  readonly result: BlockFacts | null
  readonly edit: EditReport | null
  readonly history: History
}

function CardState({ call, result, edit, history }: StateProps) {
  if (result === null) return <Pending callId={call?.callId ?? null} />
  return (
    <span class="card-state">
      {result.isError ? <span class="badge badge-error">failed</span> : null}
      {result.ephemeral ? <span class="badge">this turn only</span> : null}
      <EditCount call={call} history={history} />
      {edit === null ? (
        <span class="card-size">{shortTokens(result.tokens)}</span>
      ) : (
        <TrimmedSize before={edit.tokensBefore} after={edit.tokensAfter} />
      )}
    </span>
  )
}

/** Says what a call without a result waits for. */
function Pending({ callId }: { callId: string | null }) {
  if (asked.value !== null && asked.value.call.id === callId)
    return <span class="badge badge-asks">waits for your approval</span>
  return <span class="badge">{activity.value === null ? 'no result' : 'no result yet'}</span>
}

function EditCount({ call, history }: Pick<StateProps, 'call' | 'history'>) {
  if (call === null || (call.origin !== 'edit' && call.origin !== 'write')) return null
  const lines = diffOf(call, history)
  if (lines === null) return null
  const added = lines.filter(({ sign }) => sign === '+').length
  const removed = lines.filter(({ sign }) => sign === '-').length
  return (
    <span class="edit-count">
      <span class="visually-hidden">{`${plural(added, 'line')} added, ${removed} removed`}</span>
      <span aria-hidden="true" class="added">
        +{added}
      </span>{' '}
      <span aria-hidden="true" class="removed">
        −{removed}
      </span>
    </span>
  )
}

/** Shows what the model sees instead of a block, and why. */
export function Stub({ edit }: { edit: EditReport }) {
  const since = shown.value.requests.findLastIndex(({ edits }) => edits.includes(edit))
  return (
    <div class="stub">
      <p class="stub-head">
        The model sees{since === -1 ? '' : ` since request ${since + 1}`}{' '}
        <span class="pass">{edit.pass}</span>
      </p>
      <pre>{readable(edit.text ?? '(nothing: it was taken out)')}</pre>
      <p class="stub-why">{shortened(edit.reason)}</p>
    </div>
  )
}
