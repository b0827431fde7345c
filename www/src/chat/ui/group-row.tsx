import type { EditReport } from 'trimtab'
import { categoryOf } from '../../kinds.js'
import { plural, short } from '../../numbers.js'
import { editOf, type GroupRow, type ToolUse } from '../agent/thread.js'
import { shortened } from '../content/portion.js'
import { openGroup } from './thread-rows.js'
import { TrimmedSize } from './trimmed-size.js'

/** Maximum number of swatches; more add no information. */
const SWATCHES = 8

interface Props {
  readonly row: GroupRow
  readonly edits: ReadonlyMap<string, EditReport>
}

/** The row of a group of calls: how many, of which tools, and their size. */
export function GroupHead({ row: { key, uses, isOpen }, edits }: Props) {
  const failed = uses.filter(({ result }) => result?.isError).length
  return (
    <div class="row group">
      <button type="button" class="group-head" aria-expanded={isOpen} onClick={() => openGroup(key, !isOpen)}>
        <span class="group-swatches" aria-hidden="true">
          {uses.slice(0, SWATCHES).map((use, at) => (
            <Swatch key={at} use={use} isTrimmed={editOf(use, edits) !== null} />
          ))}
        </span>
        <span class="card-tool">{plural(uses.length, 'call')}</span>
        <span class="group-tools">
          <bdi>{toolsIn(uses)}</bdi>
        </span>
        {failed === 0 ? null : <span class="badge badge-error">{failed} failed</span>}
        <Size uses={uses} edits={edits} />
      </button>
    </div>
  )
}

function Swatch({ use: { call, result }, isTrimmed }: { use: ToolUse; isTrimmed: boolean }) {
  const block = result ?? call
  if (block === null) return null
  return (
    <span class="swatch" data-kind={categoryOf({ ...block, kind: 'tool-result' })} data-trimmed={isTrimmed} />
  )
}

/** Returns the tools with their counts, most used first: `read_file 3, shell 2`. */
function toolsIn(uses: readonly ToolUse[]): string {
  const times = new Map<string, number>()
  for (const { call, result } of uses) {
    const tool = (call ?? result)?.tool ?? 'tool'
    times.set(tool, (times.get(tool) ?? 0) + 1)
  }
  return [...times]
    .sort(([, one], [, other]) => other - one)
    .map(([tool, count]) => `${shortened(tool)} ${count}`)
    .join(', ')
}

function Size({ uses, edits }: { uses: readonly ToolUse[]; edits: Props['edits'] }) {
  let [full, sent] = [0, 0]
  for (const use of uses) {
    const tokens = use.result?.tokens ?? 0
    full += tokens
    sent += editOf(use, edits)?.tokensAfter ?? tokens
  }
  return sent === full ? (
    <span class="card-size">~{short(full)}</span>
  ) : (
    <TrimmedSize before={full} after={sent} />
  )
}
