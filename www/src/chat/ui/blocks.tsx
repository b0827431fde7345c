import { useSignal } from '@preact/signals'
import type { BlockFacts, EditReport } from 'trimtab'
import { blockLabel, categoryOf, shortPlaceOf } from '../../kinds.js'
import { plural, short } from '../../numbers.js'
import { largestBlocks } from '../agent/block-index.js'
import type { History } from '../agent/history.js'
import { placeOf } from '../agent/requests.js'
import { shown } from '../state.js'
import { CallActions, CallMark } from './call-actions.js'
import { LazyToolBody as ToolBody } from './lazy-tool-body.js'
import { LongText } from './long-text.js'
import { Stub } from './tool-card.js'

/** Blocks that are listed at first. */
const FIRST = 12
/** The largest of them, that are listed when all are asked for. */
const MOST = 400

/** The blocks of the last request, largest first: each with its original and what stands for it. */
export function Blocks() {
  const isAll = useSignal(false)
  const isTrimmed = useSignal(false)
  const { history, requests, conversation, edits } = shown.value
  const messages = requests.at(-1)?.messages ?? 0
  const blocks = largestBlocks(history, messages, MOST, isTrimmed.value ? edits : undefined)
  const listed = isAll.value ? blocks : blocks.slice(0, FIRST)
  return (
    <section class="blocks" aria-labelledby="blocks-title">
      <div class="blocks-head">
        <h3 id="blocks-title">Blocks by size</h3>
        <fieldset class="segmented" aria-label="Which blocks">
          <button type="button" aria-pressed={!isTrimmed.value} onClick={() => (isTrimmed.value = false)}>
            All
          </button>
          <button type="button" aria-pressed={isTrimmed.value} onClick={() => (isTrimmed.value = true)}>
            Trimmed
          </button>
        </fieldset>
      </div>
      {blocks.length === 0 ? <p class="quiet">Nothing was trimmed.</p> : null}
      <ul>
        {listed.map((block) => (
          <BlockItem
            key={`${conversation.id} ${placeOf(block)}`}
            block={block}
            edit={edits.get(placeOf(block)) ?? null}
            history={history}
          />
        ))}
      </ul>
      {blocks.length > FIRST && !isAll.value ? (
        <button type="button" class="link" onClick={() => (isAll.value = true)}>
          Show {plural(blocks.length, 'block')}
        </button>
      ) : null}
    </section>
  )
}

interface ItemProps {
  readonly block: BlockFacts
  readonly edit: EditReport | null
  readonly history: History
}

function BlockItem({ block, edit, history }: ItemProps) {
  const isOpen = useSignal(false)
  return (
    <li>
      <details
        class="block-item"
        data-kind={categoryOf(block)}
        data-trimmed={edit !== null}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary>
          <span class="swatch" aria-hidden="true" />
          <span class="block-name">
            {block.tool ?? blockLabel(block)} <bdi class="quiet">{shortPlaceOf(block) ?? ''}</bdi>
          </span>
          <CallMark id={block.callId} />
          <span class="card-size">
            {edit === null ? (
              short(block.tokens)
            ) : (
              <>
                <s>{short(block.tokens)}</s> <b>{short(edit.tokensAfter)}</b>
              </>
            )}
          </span>
        </summary>
        {isOpen.value ? (
          <div class="card-body">
            {edit === null ? null : <Stub edit={edit} />}
            <div class={edit === null ? 'original' : 'original is-trimmed'}>
              {block.kind === 'tool-result' && block.origin !== 'edit' && block.origin !== 'write' ? (
                <ToolBody call={null} result={block} history={history} />
              ) : (
                <LongText text={history.textOf(block) || '(nothing to show)'}>
                  {(part) => <pre>{part}</pre>}
                </LongText>
              )}
            </div>
            <CallActions block={block} edit={edit} />
          </div>
        ) : null}
      </details>
    </li>
  )
}
