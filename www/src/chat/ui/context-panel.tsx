import { useSignal } from '@preact/signals'
import { CATEGORIES, CATEGORY_LABELS } from '../../kinds.js'
import { short } from '../../numbers.js'
import { blockIndex, tokensSent } from '../agent/block-index.js'
import { POLICIES, POLICY_IDS, type PolicyId } from '../policies.js'
import { preview } from '../preview.js'
import { context, policy, policyId, replay, setPolicy, shown } from '../state.js'
import { viewed } from '../viewed.js'
import { Blocks } from './blocks.js'
import { Growth } from './growth.js'
import { Icon } from './icons.js'
import { lazily } from './lazily.js'
import { RequestStepper } from './past-request.js'
import { canCompact, startCompaction } from './segments.js'

const PolicyTable = lazily(async () => (await import('./policy-table.js')).PolicyTable)

/** Shows the last request: how much of what it contained, under which policy. */
export function ContextPanel() {
  const { sent, full, cached, overhead, window, relativeCost } = context.value
  const { requests, trims, conversation } = shown.value
  return (
    <div class="context">
      <h2>Context</h2>
      {requests.length === 0 ? (
        <p class="quiet">
          {conversation.earlier.length === 0
            ? 'Nothing was sent yet. What the first request carries appears here.'
            : `Nothing was sent since the summary. The next request carries about ${short(sent)} tokens.`}
        </p>
      ) : (
        <>
          <p class="context-sum" data-over={sent > window}>
            <b>{short(sent)}</b> of {short(window)} tokens sent
            <span class="quiet"> · {short(cached)} cached</span>
          </p>
          {sent > window ? (
            <p class="over-window">
              {short(sent - window)} tokens over the window: a model with this window refuses the request.
            </p>
          ) : null}
          <Bars />
          <dl class="figures-small">
            <div>
              <dt>Not sent</dt>
              <dd>{full === sent ? '0' : short(full - sent)}</dd>
            </div>
            <div>
              <dt>Requests</dt>
              <dd>{requests.length}</dd>
            </div>
            <div title="All requests with the prompt cache, 1 for sending everything">
              <dt>Cost</dt>
              <dd>{relativeCost === null ? '–' : `${relativeCost.toFixed(2)}×`}</dd>
            </div>
          </dl>
          <Growth
            requests={requests}
            trims={trims}
            preview={preview.value?.map((size) => size + overhead) ?? null}
          />
          <RequestStepper />
          {canCompact() ? (
            <button type="button" class="link compact" onClick={() => void startCompaction()}>
              <Icon name="fold" size={14} />
              Compact…
            </button>
          ) : null}
        </>
      )}
      <PolicyChoice />
      {requests.length === 0 ? null : <PolicyTable />}
      {requests.length === 0 ? null : <Blocks />}
    </div>
  )
}

/** Two bars on one scale: the whole history, and the part of it that was sent, by category. */
function Bars() {
  const { history, requests, edits } = shown.value
  const messages = requests.at(-1)?.messages ?? 0
  const { overhead } = context.value
  const full = withOverhead(blockIndex(history).tokens(messages), overhead)
  const sent = withOverhead(tokensSent(history, messages, edits), overhead)
  const scale = Math.max(
    1,
    full.reduce((sum, part) => sum + part, 0),
  )
  const kinds = CATEGORIES.map((category, at) => ({ category, full: full[at] ?? 0, sent: sent[at] ?? 0 }))
  const largest = kinds.filter((kind) => kind.full > 0).sort((a, b) => b.full - a.full)
  return (
    <>
      <Bar name="Full" parts={full} scale={scale} />
      <Bar name="Sent" parts={sent} scale={scale} />
      <ul class="kinds">
        {largest.map(({ category, full: before, sent: after }) => (
          <li key={category} data-kind={category}>
            <span class="swatch" aria-hidden="true" />
            <span class="kind-name">
              {category === 'system' && overhead > 0 ? 'System and tools' : CATEGORY_LABELS[category]}
            </span>
            <span class="card-size">
              {Math.round(after) === Math.round(before) ? (
                short(before)
              ) : (
                <>
                  <s>{short(before)}</s> <b>{short(after)}</b>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Adds the tokens of the system prompt and the tools to those of system messages. */
const withOverhead = (parts: readonly number[], overhead: number): number[] =>
  parts.map((part, at) => (CATEGORIES[at] === 'system' ? part + overhead : part))

function Bar({ name, parts, scale }: { name: string; parts: readonly number[]; scale: number }) {
  const total = parts.reduce((sum, part) => sum + part, 0)
  let at = 0
  return (
    <div class="bar">
      <span class="bar-name">{name}</span>
      <svg
        viewBox="0 0 1000 14"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${short(total)} tokens`}
      >
        <rect class="bar-ground" width="1000" height="14" />
        {parts.map((part, index) => {
          const x = at
          at += (part / scale) * 1000
          const category = CATEGORIES[index] ?? 'other'
          return (
            <rect key={category} data-kind={category} class="bar-part" x={x} width={at - x} height="14" />
          )
        })}
      </svg>
      <span class="bar-sum">{short(total)}</span>
    </div>
  )
}

function PolicyChoice() {
  const isJson = useSignal(false)
  const id = policyId.value
  return (
    <section class="policy-choice">
      <label for="policy">Policy</label>
      <div class="select-box">
        <select
          id="policy"
          class="select"
          value={id}
          disabled={viewed.value !== null}
          onChange={(event) => setPolicy(event.currentTarget.value as PolicyId)}
        >
          {POLICY_IDS.map((one) => (
            <option key={one} value={one}>
              {POLICIES[one].name}
            </option>
          ))}
        </select>
      </div>
      <p class="quiet">
        {POLICIES[id].hint}{' '}
        {replay.value?.isWhole ? 'It decides each request anew.' : 'It decides from the next request on.'}
      </p>
      <button
        type="button"
        class="link"
        aria-expanded={isJson.value}
        onClick={() => {
          isJson.value = !isJson.value
        }}
      >
        {isJson.value ? 'Hide the JSON' : 'As JSON'}
      </button>
      {isJson.value ? <pre class="policy-json">{JSON.stringify(policy.value, null, 2)}</pre> : null}
    </section>
  )
}
