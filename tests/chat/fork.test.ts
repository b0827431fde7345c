import { readFileSync } from 'node:fs'
import {
  Context,
  cacheAware,
  clearOldToolUses,
  type Policy,
  readMessages,
  rollingContext,
  type State,
  smartRetention,
} from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { Conversation } from '../../www/src/chat/agent/conversation.js'
import { RecordedHistory } from '../../www/src/chat/agent/history.js'
import { recordedRequests, requestsIn } from '../../www/src/chat/agent/recorded-requests.js'
import { idleSince, type SentRequest } from '../../www/src/chat/agent/requests.js'
import { stateBefore } from '../../www/src/chat/agent/state-before.js'
import { asSimulated } from '../../www/src/chat/policies.js'

const sample = readTranscript(readFileSync(new URL('../../examples/session.jsonl', import.meta.url), 'utf8'))
const { messages, format } = sample
const { messages: facts } = readMessages(messages, { format })
const session = { messages, facts, format, ...(sample.times === undefined ? {} : { times: sample.times }) }
const answers = requestsIn(facts, sample.times)

/** The view that each request of the session sends, with the state after it. */
function sentBy(policy: Policy): { view: readonly object[]; state: State }[] {
  const context = new Context(policy, { format })
  let last: SentRequest | undefined
  return answers.map(({ at, time }) => {
    const { messages: view, state } = context.project(messages.slice(0, at), { idle: idleSince(last, time) })
    last = { time } as SentRequest
    return { view, state }
  })
}

/** The session as it is opened as a whole: its requests were computed elsewhere. */
function recorded(policy: Policy, count = answers.length): Conversation {
  const history = new RecordedHistory(messages, format, facts)
  const conversation = new Conversation({ id: 's', title: 'S', format, policy, history })
  conversation.append(messages)
  const requests: SentRequest[] = []
  for (const { request, view } of recordedRequests(session, policy)) {
    requests.push(request)
    if (requests.length === count) {
      conversation.recorded(requests, view.state)
      break
    }
  }
  return conversation
}

const named = { id: 'f', title: 'F' }
const timeOf = (request: number) => answers[request]?.time ?? 0
/** State without the digests of edited texts, which are only known for edits that are still in place. */
const withoutDigests = (state: State | undefined) =>
  state && { ...state, edits: state.edits.map((row) => row.map((value, at) => (at === 6 ? 0 : value))) }

const POLICIES: [string, Policy][] = [
  ['cache-aware', cacheAware({ window: 40_000 })],
  [
    'clear',
    clearOldToolUses({
      trigger: { type: 'input_tokens', value: 4000 },
      keep: { type: 'tool_uses', value: 2 },
    }),
  ],
  ['smart', smartRetention()],
  ['rolling', rollingContext({ maxToolOutputAge: 2 })],
]

describe.each(POLICIES)('a fork of a recorded session under %s', (_, bare) => {
  const policy = asSimulated(bare)
  const sent = sentBy(policy)
  const whole = recorded(policy)

  test('is tested with a session in which the policy trims', () => {
    expect(whole.requests.filter(({ edits }) => edits.length > 0).length).toBeGreaterThan(0)
  })

  test('sends what its request sent, and in later requests what the session sent', async () => {
    for (const [k, { at }] of answers.entries()) {
      const fork = whole.branch(at, named)
      expect(fork.requests).toEqual(whole.requests.slice(0, k))
      for (let next = k; next < Math.min(k + 4, answers.length); next++) {
        expect(await fork.request(timeOf(next)), `request ${next} of the fork at ${k}`).toEqual(
          sent[next]?.view,
        )
        const { stateBefore: _state, ...request } = fork.requests[next] as SentRequest
        expect(request).toEqual(whole.requests[next])
        fork.append(messages.slice(fork.messages.length, answers[next + 1]?.at))
      }
    }
  })

  test('has the state before its request, without later decisions', () => {
    for (const [k, { at }] of answers.entries()) {
      const { state } = whole.branch(at, named).toJSON()
      expect(withoutDigests(state), `before request ${k}`).toEqual(withoutDigests(sent[k - 1]?.state))
    }
  })

  test('sends the same while later requests are still computed', async () => {
    const count = Math.floor(answers.length / 2)
    const part = recorded(policy, count)
    const k = count - 1
    const fork = part.branch(answers[k]?.at ?? 0, named)
    expect(await fork.request(timeOf(k))).toEqual(sent[k]?.view)
  })
})

describe('a fork of a chat in which a trim was undone', () => {
  const policy = asSimulated(cacheAware({ window: 40_000 }))
  const sent = sentBy(policy)

  /** Plays up to two requests after a trim, undoes the trim, and plays to the end. */
  async function played() {
    const conversation = new Conversation({ id: 's', title: 'S', format, policy })
    const views: (readonly object[])[] = []
    let trim = -1
    let undone = -1
    for (const [k, { at, time }] of answers.entries()) {
      conversation.append(messages.slice(conversation.messages.length, at))
      views.push(await conversation.request(time))
      if (trim === -1 && conversation.requests[k]?.stateBefore !== undefined) trim = k
      if (trim !== -1 && undone === -1 && k === trim + 2) {
        undone = k
        conversation.undoTrim(conversation.requests[trim] as SentRequest)
      }
    }
    conversation.append(messages.slice(conversation.messages.length))
    return { conversation, views, trim, undone }
  }

  test('sends what its request sent before the trim, before the undo and after it', async () => {
    const { conversation, views, trim, undone } = await played()
    expect(undone).toBeGreaterThan(0)
    expect(undone + 1).toBeLessThan(answers.length)
    expect(views[undone + 1]).not.toEqual(sent[undone + 1]?.view)
    for (const k of [trim - 1, trim, trim + 1, undone, undone + 1, answers.length - 1]) {
      const fork = conversation.branch(answers[k]?.at ?? 0, named)
      expect(await fork.request(timeOf(k)), `request ${k}; trim ${trim}, undone ${undone}`).toEqual(views[k])
    }
  })

  test('sends what its request sent after the chat was saved and loaded', async () => {
    const { conversation, views, trim } = await played()
    const loaded = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)))
    const fork = loaded.branch(answers[trim + 1]?.at ?? 0, named)
    expect(await fork.request(timeOf(trim + 1))).toEqual(views[trim + 1])
  })
})

test('a fork of a recorded session moves the times of its requests so that it continues now', async () => {
  const policy = asSimulated(cacheAware({ window: 40_000 }))
  const whole = recorded(policy)
  const k = answers.length - 1
  const now = Date.UTC(2040, 1, 1)
  const fork = whole.branch(answers[k]?.at ?? 0, named, now)
  const before = (at: number) => timeOf(k) - timeOf(at)
  expect(fork.requests.map(({ time }) => now - time)).toEqual(fork.requests.map((_, at) => before(at)))
  expect(await fork.request(now)).toEqual(sentBy(policy)[k]?.view)
})

test('stateBefore returns no state before the first request', () => {
  const state: State = { version: 1, edits: [], sent: { requests: [[3, 1]], since: [], past: [], prefix: 0 } }
  expect(stateBefore(state, 3)).toBeUndefined()
  expect(stateBefore({ version: 1, edits: [] }, 3)).toBeUndefined()
  expect(stateBefore(state, 4)).toEqual(state)
})

test('a fork of a chat has the policy of its request, without later changes and pins', async () => {
  const policy = cacheAware({ window: 40_000 })
  const chat = new Conversation({ id: 'c', title: 'C', format: 'openai-chat', policy })
  for (const [at, next] of [policy, rollingContext(), rollingContext()].entries()) {
    if (at > 0) chat.setPolicy(next)
    chat.say('user', `Request ${at}`, at)
    await chat.request(at)
    chat.say('assistant', `Answer ${at}`, at)
  }
  chat.steer({ pinned: ['call_1'], excluded: [] })
  const forkAt = (request: number) => {
    const saved = Conversation.fromJSON(JSON.parse(JSON.stringify(chat)))
    return saved.branch(chat.requests[request]?.messages ?? 0, named).policy
  }
  expect(forkAt(0)).toEqual(policy)
  expect(forkAt(1)).toEqual(rollingContext())
  expect(forkAt(2)).toEqual(rollingContext())
  expect(chat.policy.protect?.pinned).toEqual(['call_1'])
})
