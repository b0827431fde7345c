import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { short } from '../../numbers.js'
import { dollars, inDollars } from '../comparison/dollars.js'
import { context, replay, shown, title } from '../state.js'
import { Icon } from './icons.js'

interface Props {
  onChats(): void
  onContext(): void
  readonly isContextOpen: boolean
}

export function Header({ onChats, onContext, isContextOpen }: Props) {
  const { sent, window, share } = context.value
  const percent = percentOf(share)
  return (
    <header class="chat-head">
      <button type="button" class="plain-button narrow-only" aria-label="Chats" onClick={onChats}>
        <Icon name="menu" />
      </button>
      <h1 class="chat-title" dir="auto" title={title.value}>
        {title.value}
      </h1>
      <Cost />
      <Flash />
      <button
        type="button"
        class="ring"
        data-over={share > 1}
        aria-expanded={isContextOpen}
        aria-label={`Context: ${short(sent)} of ${short(window)} tokens, ${percent} of the window`}
        title={`${short(sent)} of ${short(window)} tokens are sent`}
        onClick={onContext}
      >
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <circle class="ring-track" cx="12" cy="12" r="9" />
          <circle
            class="ring-part"
            cx="12"
            cy="12"
            r="9"
            pathLength={100}
            stroke-dasharray={`${Math.min(1, share) * 100} 100`}
            transform="rotate(-90 12 12)"
          />
        </svg>
        <span>{percent}</span>
      </button>
    </header>
  )
}

/** Formats a share in percent; a small share is not rounded to 0. */
const percentOf = (share: number) => (share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`)

/** Cost of the requests so far; in dollars if the user entered the price of input. */
function Cost() {
  const { relativeCost, cost } = context.value
  if (relativeCost === null) return null
  const perMillion = dollars.value
  return (
    <span
      class="cost"
      data-more={relativeCost > 1.005}
      title="Cost of all requests with the prompt cache, 1 for sending everything"
    >
      {perMillion === null ? null : <b>{inDollars(cost.sent, perMillion)} </b>}
      {relativeCost.toFixed(2)}×{' '}
      <span class="cost-word">
        {perMillion === null ? 'cost' : `of ${inDollars(cost.full, perMillion)} in full`}
      </span>
    </span>
  )
}

/** Duration of the message about a trim beside the ring, in milliseconds. */
const FLASH = 6000

/** Explains why the ring just fell, so that it is not mistaken for an error. */
function Flash() {
  const { trims, conversation } = shown.value
  const seen = useRef({ conversation, trims: trims.length })
  const text = useSignal('')
  useEffect(() => {
    const before = seen.current
    seen.current = { conversation, trims: trims.length }
    const isNew = before.conversation === conversation && trims.length > before.trims
    // Requests of a session shown as a whole are no news.
    const saved = trims.slice(before.trims).reduce((sum, trim) => sum + trim.before - trim.after, 0)
    text.value = isNew && !replay.peek()?.isWhole ? `−${short(saved)}` : ''
    const timer = setTimeout(() => {
      text.value = ''
    }, FLASH)
    return () => clearTimeout(timer)
  }, [conversation, trims.length])
  return text.value === '' ? null : (
    <span class="flash">
      {text.value} <Icon name="scissors" size={15} />
    </span>
  )
}
