import type { Message } from '../write.js'
import { type BadRow, type GoodRow, noId, text, twice, unanswered, without } from './row.js'

const ui = (...parts: object[]): Message => ({ id: 'a', role: 'assistant', parts })
const asked: Message = { id: 'u', role: 'user', parts: [text('What is in the file?')] }
const part = (state: string, fields: object = {}) => ({
  type: 'tool-read_file',
  toolCallId: 'a',
  state,
  input: { path: 'a.ts' },
  ...fields,
})
const done = part('output-available', { output: 'a line' })
const dynamic = { ...done, type: 'dynamic-tool', toolName: 'read_file' }

const bad: BadRow[] = [
  ['a call that streams', [asked, ui(part('input-streaming'))], 'unanswered-call', 1, unanswered],
  ['a call', [asked, ui(text('Hm.'), part('input-available'))], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [asked, ui(part('input-available')), asked], 'unanswered-call', 1, unanswered],
  [
    'a call that waits',
    [asked, ui(part('approval-requested', { approval: { id: 'x' } }))],
    'unanswered-call',
    1,
    unanswered,
  ],
  [
    'an approved call before a prompt',
    [asked, ui(part('approval-responded', { approval: { id: 'x', approved: true } })), asked],
    'unanswered-call',
    1,
    unanswered,
  ],
  [
    'one of two',
    [asked, ui(done, part('input-available', { toolCallId: 'b' }))],
    'unanswered-call',
    1,
    unanswered,
  ],
  ['an id twice', [asked, ui(done, { type: 'step-start' }, done)], 'duplicate-id', 1, twice],
  ['a call without id', [asked, ui(without(dynamic, 'toolCallId'))], 'missing-id', 1, noId],
  ['a prompt without parts', [{ id: 'u', role: 'user', parts: [] }], 'empty-content', 0, 'no content'],
  [
    'a system message without parts',
    [{ id: 's', role: 'system', parts: [] }, asked],
    'empty-content',
    0,
    'no content',
  ],
  ['no output', [asked, ui(part('output-available'))], 'result-shape', 1, 'answer of another shape'],
  [
    'an output and an error',
    [asked, ui({ ...done, errorText: 'no' })],
    'result-shape',
    1,
    'answer of another shape',
  ],
  ['an error without text', [asked, ui(part('output-error'))], 'result-shape', 1, 'answer of another shape'],
  [
    'an error and an output',
    [asked, ui(part('output-error', { errorText: 'no', output: 'a line' }))],
    'result-shape',
    1,
    'answer of another shape',
  ],
]

const good: GoodRow[] = [
  ['a call', [asked, ui({ type: 'step-start' }, done, text('Done.'))]],
  ['an output of null', [asked, ui(part('output-available', { output: null }))]],
  ['a failure', [asked, ui(part('output-error', { errorText: 'no' }))]],
  ['a denied call', [asked, ui(part('output-denied', { approval: { id: 'x', approved: false } }))]],
  [
    'a call that was approved just now',
    [asked, ui(part('approval-responded', { approval: { id: 'x', approved: true } }))],
  ],
  [
    'a call that the provider executes',
    [asked, ui(part('input-available', { providerExecuted: true })), asked],
  ],
  ['an answer without parts', [asked, ui()]],
  ['an id again later', [asked, ui(done), asked, ui(dynamic)]],
]

export const aiSdkUi = { bad, good }
