import type { ComponentChildren } from 'preact'
import type { BlockFacts, EditReport } from 'trimtab'
import { short } from '../../numbers.js'
import { placeOf } from '../agent/requests.js'
import { context, past, replay, shown, steer, steeredCalls } from '../state.js'
import { viewed } from '../viewed.js'
import { Icon } from './icons.js'

interface Props {
  /** The tool call, or its result. */
  readonly block: BlockFacts
  readonly edit: EditReport | null
}

/** Buttons that include a call and its result in every request or exclude them from all, each with its effect. */
export function CallActions({ block, edit }: Props) {
  const { callId: id, ephemeral } = block
  if (!id || ephemeral || replay.value !== null || past.value !== null || viewed.value !== null) return null
  const way = steeredCalls.value.get(id) ?? null
  const more = edit === null ? 0 : edit.tokensBefore - edit.tokensAfter
  const isOut = edit?.pass === 'exclude'
  return (
    <div class="call-actions">
      {way === 'excluded' ? (
        <Action icon="again" name="Restore" does={() => steer(id, null)}>
          {isOut ? morePrice(more) : 'Left out of every request from the next one on.'}
        </Action>
      ) : (
        <>
          {way === 'pinned' ? (
            <Action icon="pin" name="Unpin" does={() => steer(id, null)}>
              {more > 0
                ? 'Sent again from the next request on.'
                : 'In every request. Unpinned, it may be trimmed like others.'}
            </Action>
          ) : (
            <Action
              icon="pin"
              name={edit === null || isOut ? 'Pin' : 'Restore and pin'}
              does={() => steer(id, 'pinned')}
            >
              {isOut
                ? 'Sent again from the next request on.'
                : more > 0
                  ? morePrice(more)
                  : 'Keeps it in every request.'}
            </Action>
          )}
          <Action icon="exclude" name="Exclude" does={() => steer(id, 'excluded')}>
            ~{short(tokensOf(block))} tokens less with its call, and the cache is rewritten from there.
          </Action>
        </>
      )}
    </div>
  )
}

const morePrice = (more: number) => `~${short(more)} tokens more, and the cache is rewritten from there.`

/** Returns the tokens of a call and its result in the last request. */
function tokensOf(block: BlockFacts): number {
  const { history } = shown.value
  const call = block.kind === 'tool-call' ? block : history.callOf(block)
  const result = block.kind === 'tool-call' ? history.resultOf(block) : block
  const { edits } = context.value
  const sent = (one: BlockFacts | undefined) =>
    one === undefined ? 0 : (edits.get(placeOf(one))?.tokensAfter ?? one.tokens)
  return sent(call) + sent(result)
}

interface ActionProps {
  readonly icon: Parameters<typeof Icon>[0]['name']
  readonly name: string
  does(): void
  readonly children: ComponentChildren
}

function Action({ icon, name, does, children }: ActionProps) {
  return (
    <p>
      <button type="button" class="link" onClick={does}>
        <Icon name={icon} size={14} />
        {name}
      </button>
      <span class="quiet">{children}</span>
    </p>
  )
}

/** Marks a pinned or excluded call. */
export function CallMark({ id }: { id: string | null }) {
  const way = id ? steeredCalls.value.get(id) : undefined
  if (way === undefined) return null
  const words = way === 'pinned' ? 'Pinned: it is in every request' : 'Excluded: it is in no request'
  return (
    <span class="call-mark" title={words}>
      <Icon name={way === 'pinned' ? 'pin' : 'exclude'} size={14} />
      <span class="visually-hidden">{way}</span>
    </span>
  )
}
