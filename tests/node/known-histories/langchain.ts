import type { Message } from '../write.js'
import { type BadRow, type GoodRow, noId, noResultId, orphan, twice, unanswered } from './row.js'

const human: Message = { type: 'human', content: 'What is in the file?' }
const ai = (content: unknown, ...ids: unknown[]): Message => ({
  type: 'ai',
  content,
  tool_calls: ids.map((id) => ({ id, name: 'read_file', args: { path: 'a.ts' } })),
})
const toolMessage = (tool_call_id: unknown, content: unknown = 'a line'): Message => ({
  type: 'tool',
  content,
  tool_call_id,
})
const stored = ({ type, ...data }: Message): Message => ({ type, data })
const classes: Record<string, string> = { human: 'HumanMessage', ai: 'AIMessage', tool: 'ToolMessage' }
const constructed = ({ type, ...kwargs }: Message): Message => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', classes[type as string]],
  kwargs,
})

const bad: BadRow[] = [
  ['a call at the end', [human, ai('', 'a')], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [human, ai('', 'a'), human], 'unanswered-call', 1, unanswered],
  ['one of two calls', [human, ai('', 'a', 'b'), toolMessage('b')], 'unanswered-call', 1, unanswered],
  ['a stored call', [human, ai('', 'a')].map(stored), 'unanswered-call', 1, unanswered],
  ['a serialised call', [human, ai('', 'a')].map(constructed), 'unanswered-call', 1, unanswered],
  ['a result at the start', [toolMessage('a'), human], 'orphan-result', 0, orphan],
  [
    'a result of no call',
    [human, ai('', 'a'), toolMessage('a'), toolMessage('x')],
    'orphan-result',
    3,
    orphan,
  ],
  ['two results', [human, ai('', 'a'), toolMessage('a'), toolMessage('a')], 'duplicate-result', 3, orphan],
  ['a prompt between', [human, ai('', 'a'), human, toolMessage('a')], 'result-order', 3, orphan],
  ['a result before its call', [human, toolMessage('a'), ai('', 'a')], 'result-order', 1, orphan],
  [
    'a serialised result before its call',
    [human, toolMessage('a'), ai('', 'a')].map(constructed),
    'result-order',
    1,
    orphan,
  ],
  ['an id twice', [human, ai('', 'a', 'a'), toolMessage('a'), toolMessage('a')], 'duplicate-id', 1, twice],
  [
    'a stored id twice',
    [human, ai('', 'a', 'a'), toolMessage('a'), toolMessage('a')].map(stored),
    'duplicate-id',
    1,
    twice,
  ],
  ['a call without id', [human, ai('', undefined), toolMessage('a')], 'missing-id', 1, noId],
  [
    'a result without id',
    [human, ai('', 'a'), toolMessage('a'), toolMessage('')],
    'missing-id',
    3,
    noResultId,
  ],
  ['an answer of nothing', [human, ai('')], 'empty-content', 1, 'no content'],
  ['an answer without parts', [human, ai([]), human], 'empty-content', 1, 'no content'],
  ['a stored answer of nothing', [human, ai('')].map(stored), 'empty-content', 1, 'no content'],
  ['a result of null', [human, ai('', 'a'), toolMessage('a', null)], 'empty-content', 2, 'no content'],
]

const good: GoodRow[] = [
  ['a call', [human, ai('', 'a'), toolMessage('a'), ai('Done.')]],
  ['a stored call', [human, ai('', 'a'), toolMessage('a')].map(stored)],
  ['a serialised call', [human, ai('', 'a'), toolMessage('a')].map(constructed)],
  ['results in another order', [human, ai('', 'a', 'b'), toolMessage('b'), toolMessage('a')]],
  ['an id again later', [human, ai('', 'a'), toolMessage('a'), ai('', 'a'), toolMessage('a')]],
  ['a call in parts', [human, ai([{ type: 'text', text: 'Hm.' }], 'a'), toolMessage('a', '')]],
  [
    'a call of the old kind',
    [
      human,
      { type: 'ai', content: '', additional_kwargs: { function_call: { name: 'f' } }, tool_calls: [] },
      { type: 'function', name: 'f', content: 'a line' },
    ],
  ],
]

export const langchain = { bad, good }
