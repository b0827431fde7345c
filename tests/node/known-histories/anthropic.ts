import type { Message } from '../write.js'
import { ask, type BadRow, type GoodRow, more, orphan, say, system, text, twice, unanswered } from './row.js'

const use = (id: unknown) => ({ type: 'tool_use', id, name: 'read_file', input: { path: 'a.ts' } })
const result = (tool_use_id: unknown, content: unknown = 'a line') => ({
  type: 'tool_result',
  tool_use_id,
  content,
})
const thinking = { type: 'thinking', thinking: 'let me see', signature: 'c2ln' }
const redacted = { type: 'redacted_thinking', data: 'ZGF0YQ==' }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
/** Anthropic messages. */
const uses = (...ids: unknown[]) => say(ids.map(use))
const user = (...content: object[]): Message => ({ role: 'user', content })
const answers = (...ids: unknown[]) => user(...ids.map((id) => result(id)))

const bad: BadRow[] = [
  ['a call at the end', [ask, uses('a')], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [ask, uses('a'), more], 'unanswered-call', 1, unanswered],
  ['a call before an answer', [ask, uses('a'), say('Done.'), more], 'unanswered-call', 1, unanswered],
  ['one of two calls', [ask, uses('a', 'b'), answers('b')], 'unanswered-call', 1, unanswered],
  [
    'one of three, with text',
    [ask, uses('a', 'b', 'c'), user(result('b'), result('a'), text('Hm.'))],
    'unanswered-call',
    1,
    unanswered,
  ],
  ['a call behind reasoning', [ask, say([thinking, use('a')]), more], 'unanswered-call', 1, unanswered],
  ['a result at the start', [answers('a')], 'orphan-result', 0, orphan],
  ['a result behind an answer', [ask, say('Hm.'), answers('a')], 'orphan-result', 2, orphan],
  ['a result too many', [ask, uses('a'), answers('a', 'x')], 'orphan-result', 2, orphan],
  [
    'a result beside a prompt',
    [ask, say('Hm.'), user(result('a'), text('Go on.'))],
    'orphan-result',
    2,
    orphan,
  ],
  ['two results in one message', [ask, uses('a'), answers('a', 'a')], 'duplicate-result', 2, orphan],
  [
    'two results in two messages',
    [ask, uses('a'), answers('a'), say('.'), answers('a')],
    'duplicate-result',
    4,
    orphan,
  ],
  ['a prompt between', [ask, uses('a'), more, answers('a')], 'result-order', 3, orphan],
  ['an answer between', [ask, uses('a'), say('Hm.'), answers('a')], 'result-order', 3, orphan],
  ['results in two messages', [ask, uses('a', 'b'), answers('a'), answers('b')], 'result-order', 3, orphan],
  ['a result before its call', [ask, answers('a'), uses('a')], 'result-order', 1, orphan],
  [
    'the results of two messages, late',
    [ask, uses('a'), uses('b'), answers('a', 'b')],
    'result-order',
    3,
    orphan,
  ],
  [
    'a text before a result',
    [ask, uses('a'), user(text('Here:'), result('a'))],
    'results-not-first',
    2,
    'result behind other blocks',
  ],
  [
    'a text between results',
    [ask, uses('a', 'b'), user(result('a'), text('And:'), result('b'))],
    'results-not-first',
    2,
    'result behind other blocks',
  ],
  [
    'an image before a result',
    [ask, uses('a'), user(image, result('a'))],
    'results-not-first',
    2,
    'result behind other blocks',
  ],
  [
    'a result beside its call',
    [ask, say([use('a'), result('a')]), more],
    'result-role',
    1,
    'result of the assistant',
  ],
  [
    'a result of the assistant',
    [ask, uses('a'), say([result('a')])],
    'result-role',
    2,
    'result of the assistant',
  ],
  ['a call of the user', [user(text('Hm.'), use('a'))], 'call-role', 0, 'call of the user'],
  ['nothing but a call of the user', [ask, user(use('a'))], 'call-role', 1, 'call of the user'],
  [
    'a text behind a call',
    [ask, say([use('a'), text('Reading.')]), answers('a')],
    'calls-not-last',
    1,
    'text behind a call',
  ],
  [
    'a text between calls',
    [ask, say([use('a'), text('And'), use('b')]), answers('a', 'b')],
    'calls-not-last',
    1,
    'text behind a call',
  ],
  ['an id twice in a message', [ask, uses('a', 'a'), answers('a', 'a')], 'duplicate-id', 1, twice],
  ['an id again later', [ask, uses('a'), answers('a'), uses('a'), answers('a')], 'duplicate-id', 3, twice],
  [
    'an id of another provider',
    [ask, uses('functions.read:0'), answers('functions.read:0')],
    'invalid-id',
    1,
    'id with other characters',
  ],
  [
    'an id with a bar',
    [ask, uses('call_1|fc_1'), answers('call_1|fc_1')],
    'invalid-id',
    1,
    'id with other characters',
  ],
  ['a call without id', [ask, uses(undefined), more], 'missing-id', 1, 'call without id'],
  ['a call with an empty id', [ask, uses(''), answers('')], 'missing-id', 1, 'call without id'],
  ['a result without id', [ask, uses('a'), answers('a', undefined)], 'missing-id', 2, 'result without id'],
  ['an empty prompt', [{ role: 'user', content: '' }], 'empty-content', 0, 'no content'],
  [
    'a prompt of white space',
    [{ role: 'user', content: ' \n' }, say('Hm.')],
    'empty-content',
    0,
    'no content',
  ],
  ['no blocks', [ask, say([]), more], 'empty-content', 1, 'no content'],
  ['an answer of null', [ask, say(null), more], 'empty-content', 1, 'no content'],
  ['an empty answer that is not the last', [ask, say(''), more], 'empty-content', 1, 'no content'],
  ['a last answer of white space', [ask, say('  ')], 'empty-content', 1, 'no content'],
  ['an empty text', [ask, say([text('')]), more], 'empty-text', 1, 'empty text'],
  ['an empty text in the last answer', [ask, say([text('')])], 'empty-text', 1, 'empty text'],
  ['a text of white space', [user(text('\n\t'), image)], 'empty-text', 0, 'empty text'],
  [
    'an empty text before a call',
    [ask, say([text(''), use('a')]), answers('a')],
    'empty-text',
    1,
    'empty text',
  ],
  [
    'an empty text beside reasoning',
    [ask, say([thinking, text(''), use('a')]), answers('a')],
    'empty-text',
    1,
    'empty text',
  ],
  ['a text without text', [ask, say([text(undefined)])], 'empty-text', 1, 'empty text'],
  [
    'an empty text in a result',
    [ask, uses('a'), user(result('a', [text('')]))],
    'empty-text',
    2,
    'empty text',
  ],
  [
    'an empty text in a result of more',
    [ask, uses('a'), user(result('a', [image, text(' ')]))],
    'empty-text',
    2,
    'empty text',
  ],
  ['nothing but reasoning', [ask, say([thinking]), more], 'reasoning-last', 1, 'ends in reasoning'],
  [
    'redacted reasoning at the end',
    [ask, say([text('Hm.'), redacted])],
    'reasoning-last',
    1,
    'ends in reasoning',
  ],
  ['the assistant first', [say('Hello.'), ask], 'first-role', 0, 'assistant first'],
  ['a call first', [uses('a'), answers('a')], 'first-role', 0, 'assistant first'],
  ['instructions first', [system, ask], 'first-role', 0, 'system out of place'],
]

const good: GoodRow[] = [
  ['nothing', []],
  ['a prompt', [ask]],
  ['two prompts', [ask, more, say('Hm.')]],
  ['a call', [ask, uses('toolu_01-a'), answers('toolu_01-a'), say('Done.')]],
  ['results in another order', [ask, uses('a', 'b'), answers('b', 'a')]],
  ['a prompt behind results', [ask, uses('a'), user(result('a'), text('Go on.'), image)]],
  ['a prompt in the next message', [ask, uses('a'), answers('a'), more]],
  ['a text before a call', [ask, say([text('Reading.'), use('a')]), answers('a')]],
  ['reasoning before a call', [ask, say([thinking, redacted, use('a')]), answers('a')]],
  ['an empty last answer', [ask, say('')]],
  ['a last answer without blocks', [ask, say([])]],
  ['an empty result', [ask, uses('a'), user(result('a', ''))]],
  ['a result without content', [ask, uses('a'), user({ type: 'tool_result', tool_use_id: 'a' })]],
  ['an image as a result', [ask, uses('a'), user(result('a', [image]))]],
  [
    'a search by the server',
    [
      ask,
      say([
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        text('Found.'),
      ]),
    ],
  ],
]

export const anthropic = { bad, good }
