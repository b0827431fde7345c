import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { BlockFacts, EditReport } from 'trimtab'
import {
  blockLabel,
  CATEGORY_LABELS,
  categoryOf,
  placeOf as placeOfBlock,
  shortPlaceOf,
} from '../../kinds.js'
import { plural, short } from '../../numbers.js'
import { largestBlocks } from '../agent/block-index.js'
import type { History } from '../agent/history.js'
import { placeOf } from '../agent/requests.js'
import { shortened } from '../content/portion.js'
import { readable } from '../content/terminal.js'
import type { Shown } from '../shown.js'
import { past, shown } from '../state.js'
import { CallActions, CallMark } from './call-actions.js'
import { keptSignal } from './kept-signal.js'
import { LazyToolBody as ToolBody } from './lazy-tool-body.js'
import { useListWindow } from './list-window.js'
import { LongText } from './long-text.js'
import { SearchField } from './search-field.js'
import { Stub } from './tool-card.js'

/** Number of blocks listed at first. */
const FIRST = 12

/** Delay after the last step between past requests until their blocks are listed, in milliseconds. */
const REST = 100

/** Returns what the page shows. While the user steps through past requests, it stays the same until they rest. */
function useRested(): Shown {
  const now = shown.value
  const rested = useRef(now)
  const renewed = useSignal(0)
  const isStepping = past.value !== null && now.conversation === rested.current.conversation
  if (!isStepping) rested.current = now
  useEffect(() => {
    if (rested.current === now) return
    const timer = setTimeout(() => {
      rested.current = now
      renewed.value += 1
    }, REST)
    return () => clearTimeout(timer)
  }, [now])
  renewed.value
  return rested.current
}

/** The blocks of the last request, largest first, each with its original and its stub. */
export function Blocks() {
  const isAll = useSignal(false)
  const isTrimmed = useSignal(false)
  const filter = useSignal('')
  const now = useRested()
  const { history, requests, conversation, edits } = now
  const messages = requests.at(-1)?.messages ?? 0
  const wanted = isTrimmed.value ? edits : undefined
  const all = useMemo(() => largestBlocks(history, messages, wanted), [history, messages, wanted])
  const sought = filter.value.trim().toLowerCase()
  const blocks = useMemo(
    () => (sought === '' ? all : all.filter((block) => wordsOf(block).includes(sought))),
    [all, sought],
  )
  const listed = useMemo(() => (isAll.value ? blocks : blocks.slice(0, FIRST)), [blocks, isAll.value])
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
      {all.length <= FIRST && sought === '' ? null : (
        <SearchField text={filter} placeholder="Filter…" label="Filter blocks by tool, file or command" />
      )}
      {blocks.length === 0 ? (
        <p class="quiet" role="status">
          {sought === '' ? 'Nothing was trimmed.' : 'No block matches.'}
        </p>
      ) : null}
      <BlockList key={`${conversation.id} ${conversation.earlier.length}`} blocks={listed} shown={now} />
      {blocks.length > FIRST && !isAll.value ? (
        <button type="button" class="link" onClick={() => (isAll.value = true)}>
          Show all {plural(blocks.length, 'block')}
        </button>
      ) : null}
    </section>
  )
}

/** Returns the text that a block is searched by. */
const wordsOf = (block: BlockFacts): string =>
  `${block.tool ?? ''} ${blockLabel(block)} ${CATEGORY_LABELS[categoryOf(block)]} ${placeOfBlock(block) ?? ''}`.toLowerCase()

/** Renders only the blocks near the visible part, as there can be thousands. */
function BlockList({ blocks, shown: now }: { blocks: readonly BlockFacts[]; shown: Shown }) {
  const { range, list } = useListWindow(useMemo(() => blocks.map(placeOf), [blocks]))
  const [from, to] = range
  return (
    <ul ref={list}>
      {blocks.slice(from, to).map((block, at) => (
        <BlockItem
          key={placeOf(block)}
          block={block}
          edit={now.edits.get(placeOf(block)) ?? null}
          history={now.history}
          isOpen={keptSignal(now.conversation, `block ${placeOf(block)}`, false)}
          position={from + at + 1}
          count={blocks.length}
        />
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly block: BlockFacts
  readonly edit: EditReport | null
  readonly history: History
  readonly isOpen: Signal<boolean>
  /** Its position in the list, from 1, and the number of blocks: most of them are not in the page. */
  readonly position: number
  readonly count: number
}

function BlockItem({ block, edit, history, isOpen, position, count }: ItemProps) {
  return (
    <li aria-posinset={position} aria-setsize={count}>
      <details
        class="block-item"
        open={isOpen.value}
        data-kind={categoryOf(block)}
        data-trimmed={edit !== null}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open
        }}
      >
        <summary>
          <span class="swatch" aria-hidden="true" />
          <span class="block-name">
            <bdi>{shortened(block.tool ?? blockLabel(block))}</bdi>{' '}
            <bdi class="quiet">{shortened(shortPlaceOf(block) ?? '')}</bdi>
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
                <LongText text={history.textOf(block) || '(empty)'}>
                  {(part) => <pre>{readable(part)}</pre>}
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
