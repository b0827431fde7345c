// Calls that the user is asked about before they are run.
import { modelMessageSchema, type UIMessage, validateUIMessages } from 'ai'
import { modelMessageSchema as modelMessageSchema6 } from 'ai-6'
import { type Format, validate } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../node/write.js'
import type { Json } from './converting.js'

const OTHERS = FORMATS.filter((format) => !format.startsWith('ai-sdk'))
const failure = 'form of a denied call (now a failure)'

const asked: Json = { id: 'message-0', role: 'user', parts: [{ type: 'text', text: 'go' }] }
const call: Json = { type: 'tool-call', toolCallId: 'c', toolName: 'rm', input: { path: 'a' } }
const request: Json = { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'c' }
const response = (fields: Json): Json => ({ type: 'tool-approval-response', approvalId: 'x', ...fields })
const returned = (output: Json): Json => ({
  type: 'tool-result',
  toolCallId: 'c',
  toolName: 'rm',
  output,
})

/** A history whose only call is in a state. */
const ui = (state: string, approval: Json, fields: Json = {}): Json[] => {
  const part = { type: 'tool-rm', toolCallId: 'c', state, input: { path: 'a' }, approval, ...fields }
  return [asked, { id: 'message-1', role: 'assistant', parts: [{ type: 'step-start' }, part] }]
}
const sdk = (request: Json, ...answers: Json[]): Json[] => [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [call, request] },
  ...(answers.length === 0 ? [] : [{ role: 'tool', content: answers }]),
]

interface Case {
  readonly ui: Json[]
  readonly sdk: Json[]
  /** What other formats lose. */
  readonly lost: string
}

const yes = { id: 'x', approved: true, reason: 'Sure.' }
const no = { id: 'x', approved: false, reason: 'Not this one.' }
const answer = ({ id: _, ...fields }: Json): Json => response(fields)

const CASES: Record<string, Case> = {
  'a request': {
    ui: ui('approval-requested', { id: 'x', requestReason: 'It deletes.', signature: 's' }),
    sdk: sdk({ ...request, reason: 'It deletes.', signature: 's' }),
    lost: 'request to approve a call (now an open call)',
  },
  'an approved call': {
    ui: ui('approval-responded', yes),
    sdk: sdk(request, answer(yes)),
    lost: 'approval of a call (now an open call)',
  },
  'an approved call that was run': {
    ui: ui('output-available', yes, { output: 'done' }),
    sdk: sdk(request, answer(yes), returned({ type: 'text', value: 'done' })),
    lost: 'approval of a call',
  },
  'an approved call that failed': {
    ui: ui('output-error', yes, { errorText: 'no such file' }),
    sdk: sdk(request, answer(yes), returned({ type: 'error-text', value: 'no such file' })),
    lost: 'approval of a call',
  },
  'a denied call': {
    ui: ui('output-denied', no),
    sdk: sdk(request, answer(no), returned({ type: 'execution-denied', reason: 'Not this one.' })),
    lost: failure,
  },
  'a call denied without a reason': {
    ui: ui('output-denied', { id: 'x', approved: false }),
    sdk: sdk(request, response({ approved: false }), returned({ type: 'execution-denied' })),
    lost: failure,
  },
}

/** How `validate` judges a history. */
const rules = (messages: readonly object[], format: Format): string[] =>
  validate(messages, { format }).map(({ rule }) => rule)

describe.each(Object.entries(CASES))('%s', (_, { lost, sdk, ui }) => {
  test("is the same in the AI SDK's formats", async () => {
    expect(convertMessages(ui, 'ai-sdk', { format: 'ai-sdk-ui' })).toEqual({ messages: sdk, lost: [] })
    expect(convertMessages(sdk, 'ai-sdk-ui', { format: 'ai-sdk' })).toEqual({ messages: ui, lost: [] })
    expect(rules(sdk, 'ai-sdk')).toEqual(rules(ui, 'ai-sdk-ui'))
    for (const message of sdk)
      expect([modelMessageSchema, modelMessageSchema6].map((one) => one.safeParse(message).success)).toEqual([
        true,
        true,
      ])
    await validateUIMessages({ messages: ui as unknown as UIMessage[] })
  })

  test.each(OTHERS)('is converted to %s, and what is lost is named', (to) => {
    for (const [history, format] of [[ui, 'ai-sdk-ui'] as const, [sdk, 'ai-sdk'] as const]) {
      const there = convertMessages(history, to, { format })
      expect(there.lost.map(({ what }) => what)).toContain(lost)
      expect(rules(there.messages, to)).toEqual(lost.includes('open call') ? ['unanswered-call'] : [])
      expect(JSON.stringify(there.messages).includes('Not this one.')).toBe(
        JSON.stringify(ui).includes('Not this one.'),
      )
    }
  })
})

test.each(FORMATS)('%s: a call that was denied just now is no open call', (to) => {
  const denied = returned({ type: 'execution-denied', reason: no.reason })
  const histories: [Json[], Format][] = [
    [ui('approval-responded', no), 'ai-sdk-ui'],
    [sdk(request, answer(no)), 'ai-sdk'],
  ]
  for (const [history, format] of histories.filter(([, from]) => from !== to)) {
    const there = convertMessages(history, to, { format })
    expect(rules(there.messages, to)).toEqual([])
    expect(JSON.stringify(there.messages)).toContain(no.reason)
    if (to === 'ai-sdk') expect(there).toEqual({ messages: sdk(request, answer(no), denied), lost: [] })
    else if (to === 'ai-sdk-ui') expect(there).toEqual({ messages: ui('output-denied', no), lost: [] })
    else expect(there.lost.map(({ what }) => what)).toContain(failure)
  }
})

test('what the AI SDK itself writes for a denied call is one', () => {
  const written = sdk(request, answer(no), returned({ type: 'error-text', value: no.reason }))
  expect(convertMessages(written, 'ai-sdk-ui', { format: 'ai-sdk' })).toEqual({
    messages: ui('output-denied', no),
    lost: [],
  })
})

test.each([
  [{ type: 'text', value: 'done' }, yes, []],
  [{ type: 'error-text', value: 'Stopped.' }, no, [failure]],
])('the answer of the user is reported at its own message: %j', (output, given, more) => {
  const history = [...sdk(request, answer(given)), { role: 'tool', content: [returned(output)] }]
  const { lost } = convertMessages(history, 'anthropic', { format: 'ai-sdk' })
  expect(lost).toEqual([
    { index: 2, what: 'approval of a call' },
    ...more.map((what) => ({ index: 3, what })),
  ])
})

test('a denial without its request is a failure', () => {
  const history = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [returned({ type: 'execution-denied', reason: 'No.' })] },
  ]
  const { lost, messages } = convertMessages(history, 'ai-sdk-ui', { format: 'ai-sdk' })
  expect(lost).toEqual([{ index: 2, what: failure }])
  expect((messages[1] as { parts: Json[] }).parts[1]).toMatchObject({ errorText: 'No.' })
})

test('requests and answers of no call are reported', () => {
  const history = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'text', text: 'I ask.' }, request] },
    { role: 'tool', content: [answer(yes)] },
  ]
  expect(convertMessages(history, 'ai-sdk-ui', { format: 'ai-sdk' }).lost).toEqual([
    { index: 1, what: 'part of type "tool-approval-request"' },
    { index: 2, what: 'part of type "tool-approval-response"' },
  ])
})

test('a call that the provider runs keeps its approval', () => {
  const history = ui('approval-responded', yes, { providerExecuted: true })
  const { lost, messages } = convertMessages(history, 'ai-sdk', { format: 'ai-sdk-ui' })
  expect(lost).toEqual([])
  expect(messages.slice(1)).toEqual([
    { role: 'assistant', content: [{ ...call, providerExecuted: true }, request] },
    { role: 'tool', content: [{ ...answer(yes), providerExecuted: true }] },
  ])
  expect(convertMessages(messages, 'ai-sdk-ui', { format: 'ai-sdk' })).toEqual({
    messages: history,
    lost: [],
  })
})
