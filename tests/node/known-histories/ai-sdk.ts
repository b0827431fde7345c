import type { Message } from '../write.js'
import {
  ask,
  type BadRow,
  type GoodRow,
  more,
  noId,
  noResultId,
  orphan,
  say,
  text,
  twice,
  unanswered,
} from './row.js'

const toolCall = (toolCallId: unknown, fields: object = {}) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read_file',
  input: { path: 'a.ts' },
  ...fields,
})
const toolResult = (toolCallId: unknown, output: unknown = { type: 'text', value: 'a line' }) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read_file',
  output,
})
const toolCalls = (...ids: unknown[]) => say(ids.map((id) => toolCall(id)))
const tools = (...content: object[]): Message => ({ role: 'tool', content })
const answers = (...ids: unknown[]) => tools(...ids.map((id) => toolResult(id)))
const request = { type: 'tool-approval-request', approvalId: 'x', toolCallId: 'a' }
const approval = { type: 'tool-approval-response', approvalId: 'x', approved: true }

const bad: BadRow[] = [
  ['a call at the end', [ask, toolCalls('a')], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [ask, toolCalls('a'), more], 'unanswered-call', 1, unanswered],
  ['one of two calls', [ask, toolCalls('a', 'b'), answers('b')], 'unanswered-call', 1, unanswered],
  ['a call that waits', [ask, say([toolCall('a'), request])], 'unanswered-call', 1, unanswered],
  [
    'an approved call without result',
    [ask, say([toolCall('a'), request]), tools(approval), more],
    'unanswered-call',
    1,
    unanswered,
  ],
  ['a result at the start', [answers('a'), ask], 'orphan-result', 0, orphan],
  ['a result too many', [ask, toolCalls('a'), answers('a', 'x')], 'orphan-result', 2, orphan],
  ['two results', [ask, toolCalls('a'), answers('a', 'a')], 'duplicate-result', 2, orphan],
  ['a prompt between', [ask, toolCalls('a'), more, answers('a')], 'result-order', 3, orphan],
  ['an answer between', [ask, toolCalls('a'), say('Hm.'), answers('a')], 'result-order', 3, orphan],
  ['a result before its call', [ask, answers('a'), toolCalls('a')], 'result-order', 1, orphan],
  [
    'a result of the user',
    [ask, toolCalls('a'), { role: 'user', content: [toolResult('a')] }],
    'result-role',
    2,
    'result of the user',
  ],
  [
    'a call of the user',
    [{ role: 'user', content: [text('Hm.'), toolCall('a')] }],
    'call-role',
    0,
    'call of the user',
  ],
  ['an id twice', [ask, toolCalls('a', 'a'), answers('a')], 'duplicate-id', 1, twice],
  ['a call without id', [ask, toolCalls(undefined), answers(undefined)], 'missing-id', 1, noId],
  ['a result without id', [ask, toolCalls('a'), answers('a', '')], 'missing-id', 2, noResultId],
  ['an answer of nothing', [ask, say('')], 'empty-content', 1, 'no content'],
  ['an answer without parts', [ask, say([]), more], 'empty-content', 1, 'no content'],
  ['an empty text', [ask, say([text('')]), more], 'empty-content', 1, 'no content'],
  ['a prompt without parts', [{ role: 'user', content: [] }], 'empty-content', 0, 'no content'],
  ['no results', [ask, toolCalls('a'), answers('a'), tools()], 'empty-content', 3, 'no content'],
  [
    'an output of version 4',
    [ask, toolCalls('a'), tools(toolResult('a', 'a line'))],
    'result-shape',
    2,
    'output of type undefined',
  ],
]

const good: GoodRow[] = [
  ['a call', [ask, toolCalls('a'), answers('a'), say('Done.')]],
  ['results in two messages', [ask, toolCalls('a', 'b'), answers('b'), answers('a'), more]],
  ['a call that the provider executes', [ask, say([toolCall('a', { providerExecuted: true })]), more]],
  [
    'a call that the provider executed',
    [ask, say([toolCall('a', { providerExecuted: true }), toolResult('a'), text('Found.')]), more],
  ],
  ['a call that was approved just now', [ask, say([toolCall('a'), request]), tools(approval)]],
  ['a call that was approved', [ask, say([toolCall('a'), request]), tools(approval, toolResult('a')), more]],
  ['a denied call', [ask, toolCalls('a'), tools(toolResult('a', { type: 'execution-denied' }))]],
  ['an empty text beside a call', [ask, say([text(''), toolCall('a')]), answers('a')]],
]

export const aiSdk = { bad, good }
