import type { Message } from '../write.js'
import { ask, type BadRow, type GoodRow, more, orphan, say, system, text, twice, unanswered } from './row.js'

/** An OpenAI message with calls. */
const calls = (...ids: unknown[]): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{}' } })),
})
const tool = (tool_call_id: unknown, content: unknown = 'a line'): Message => ({
  role: 'tool',
  tool_call_id,
  content,
})

const bad: BadRow[] = [
  ['a call at the end', [ask, calls('a')], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [ask, calls('a'), more], 'unanswered-call', 1, unanswered],
  ['a call before an answer', [ask, calls('a'), say('Done.')], 'unanswered-call', 1, unanswered],
  ['a call before another', [ask, calls('a'), calls('b'), tool('b')], 'unanswered-call', 1, unanswered],
  ['the first of two calls', [ask, calls('a', 'b'), tool('b')], 'unanswered-call', 1, unanswered],
  [
    'the last of three calls',
    [ask, calls('a', 'b', 'c'), tool('b'), tool('a')],
    'unanswered-call',
    1,
    unanswered,
  ],
  ['two calls and nothing', [ask, calls('a', 'b'), more], 'unanswered-call', 1, unanswered],
  ['a call behind a text', [ask, { ...calls('a'), content: 'Reading.' }], 'unanswered-call', 1, unanswered],
  [
    'an id that was answered before',
    [ask, calls('a'), tool('a'), calls('a'), more],
    'unanswered-call',
    3,
    unanswered,
  ],
  ['a result at the start', [tool('a'), ask], 'orphan-result', 0, orphan],
  ['a result behind a prompt', [ask, tool('a')], 'orphan-result', 1, orphan],
  ['a result behind an answer', [ask, say('Done.'), tool('a')], 'orphan-result', 2, orphan],
  ['a result with another id', [ask, calls('a'), tool('a'), tool('x')], 'orphan-result', 3, orphan],
  ['a result behind system', [system, tool('a'), ask], 'orphan-result', 1, orphan],
  ['a result after the turn', [ask, calls('a'), tool('a'), say('.'), tool('b')], 'orphan-result', 4, orphan],
  ['two results of a call', [ask, calls('a'), tool('a'), tool('a', 'again')], 'duplicate-result', 3, orphan],
  ['two results, one late', [ask, calls('a'), tool('a'), more, tool('a')], 'duplicate-result', 4, orphan],
  [
    'two results among two calls',
    [ask, calls('a', 'b'), tool('a'), tool('a'), tool('b')],
    'duplicate-result',
    3,
    orphan,
  ],
  ['a prompt between', [ask, calls('a'), more, tool('a')], 'result-order', 3, orphan],
  ['an answer between', [ask, calls('a'), say('Hm.'), tool('a')], 'result-order', 3, orphan],
  ['a system message between', [ask, calls('a'), system, tool('a')], 'result-order', 3, orphan],
  [
    'a prompt between two results',
    [ask, calls('a', 'b'), tool('a'), more, tool('b')],
    'result-order',
    4,
    orphan,
  ],
  ['a result before its call', [ask, tool('a'), calls('a')], 'result-order', 1, orphan],
  [
    'results of two calls, late',
    [ask, calls('a'), calls('b'), tool('a'), tool('b')],
    'result-order',
    3,
    orphan,
  ],
  ['an id twice', [ask, calls('a', 'a'), tool('a'), tool('a')], 'duplicate-id', 1, twice],
  ['an id three times', [ask, calls('a', 'b', 'a', 'a'), tool('b'), tool('a')], 'duplicate-id', 1, twice],
  ['a call without id', [ask, calls(undefined), tool('a')], 'missing-id', 1, 'call without id'],
  ['a call with an empty id', [ask, calls(''), tool('')], 'missing-id', 1, 'call without id'],
  [
    'a result without id',
    [ask, calls('a'), tool('a'), tool(undefined)],
    'missing-id',
    3,
    'result without id',
  ],
  ['no calls', [ask, { ...say('Done.'), tool_calls: [] }], 'empty-tool-calls', 1, 'no calls in tool_calls'],
  [
    'neither calls nor content',
    [ask, { ...say(null), tool_calls: [] }],
    'empty-tool-calls',
    1,
    'no calls in tool_calls',
  ],
  ['an answer of null', [ask, say(null)], 'empty-content', 1, 'no content'],
  ['an answer without content', [ask, { role: 'assistant' }], 'empty-content', 1, 'no content'],
  ['an answer without parts', [ask, say([])], 'empty-content', 1, 'no content'],
  [
    'calls beside no parts',
    [ask, { ...calls('a'), content: [] }, tool('a')],
    'empty-content',
    1,
    'no content',
  ],
  ['a prompt of null', [{ role: 'user', content: null }], 'empty-content', 0, 'no content'],
  ['a prompt without parts', [{ role: 'user', content: [] }, say('Hm.')], 'empty-content', 0, 'no content'],
  ['a system message of null', [{ role: 'system', content: null }, ask], 'empty-content', 0, 'no content'],
  ['a result of null', [ask, calls('a'), tool('a', null)], 'empty-content', 2, 'no content'],
  ['a result without parts', [ask, calls('a'), tool('a', [])], 'empty-content', 2, 'no content'],
]

const good: GoodRow[] = [
  ['nothing', []],
  ['a prompt', [ask]],
  ['a prompt in parts', [{ role: 'user', content: [text('Hello.')] }]],
  ['two prompts', [system, ask, more, say('Hm.')]],
  ['the assistant first', [say('Hello.'), ask]],
  ['a call', [ask, calls('a'), tool('a'), say('Done.')]],
  ['results in another order', [ask, calls('a', 'b', 'c'), tool('c'), tool('a'), tool('b')]],
  ['an id again later', [ask, calls('a'), tool('a'), calls('a'), tool('a')]],
  ['an id of many characters', [ask, calls('functions.read:0'), tool('functions.read:0')]],
  ['an empty result', [ask, calls('a'), tool('a', '')]],
  ['a result in parts', [ask, calls('a'), tool('a', [text('a line')])]],
  ['an empty answer', [ask, say(''), more]],
  ['calls without content', [ask, { ...calls('a'), content: undefined }, tool('a')]],
  ['a refusal', [ask, { ...say(null), refusal: 'I cannot.' }]],
  ['a spoken answer', [ask, { ...say(null), audio: { id: 'audio_1' } }]],
  [
    'a call of the old kind',
    [
      ask,
      { ...say(null), function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'a line' },
    ],
  ],
  ['reasoning beside calls', [ask, { ...calls('a'), reasoning_content: 'hm' }, tool('a')]],
]

export const openaiChat = { bad, good }
