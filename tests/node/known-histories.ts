import type { ValidityRule } from 'trimtab'
import { bad, good, orphan, type Row, twice, unanswered } from './known-histories-more.js'
import type { Format, Message } from './write.js'

/** An invalid history: the violated rule, its place, and the oracle's wording of the problem. */
export interface KnownBad {
  name: string
  format: Format
  messages: Message[]
  rule: ValidityRule
  index: number
  oracle: string
}

export interface KnownGood {
  name: string
  format: Format
  messages: Message[]
}

const ask: Message = { role: 'user', content: 'What is in the file?' }
const more: Message = { role: 'user', content: 'Go on.' }
const say = (content: unknown): Message => ({ role: 'assistant', content })
const system: Message = { role: 'system', content: 'Be brief.' }

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

const text = (text: unknown) => ({ type: 'text', text })
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

const openai: Row[] = [
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

const anthropic: Row[] = [
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

const named =
  (format: Format) =>
  ([name, messages, rule, index, what]: Row): KnownBad => ({
    name,
    format,
    messages,
    rule,
    index,
    oracle: `${index}: ${what}`,
  })

export const knownBad: KnownBad[] = [
  ...openai.map(named('openai-chat')),
  ...anthropic.map(named('anthropic')),
  ...bad.flatMap(([format, rows]) => rows.map(named(format))),
]

const accepted: [Format, string, Message[]][] = [
  ['openai-chat', 'nothing', []],
  ['openai-chat', 'a prompt', [ask]],
  ['openai-chat', 'a prompt in parts', [{ role: 'user', content: [text('Hello.')] }]],
  ['openai-chat', 'two prompts', [system, ask, more, say('Hm.')]],
  ['openai-chat', 'the assistant first', [say('Hello.'), ask]],
  ['openai-chat', 'a call', [ask, calls('a'), tool('a'), say('Done.')]],
  ['openai-chat', 'results in another order', [ask, calls('a', 'b', 'c'), tool('c'), tool('a'), tool('b')]],
  ['openai-chat', 'an id again later', [ask, calls('a'), tool('a'), calls('a'), tool('a')]],
  ['openai-chat', 'an id of many characters', [ask, calls('functions.read:0'), tool('functions.read:0')]],
  ['openai-chat', 'an empty result', [ask, calls('a'), tool('a', '')]],
  ['openai-chat', 'a result in parts', [ask, calls('a'), tool('a', [text('a line')])]],
  ['openai-chat', 'an empty answer', [ask, say(''), more]],
  ['openai-chat', 'calls without content', [ask, { ...calls('a'), content: undefined }, tool('a')]],
  ['openai-chat', 'a refusal', [ask, { ...say(null), refusal: 'I cannot.' }]],
  ['openai-chat', 'a spoken answer', [ask, { ...say(null), audio: { id: 'audio_1' } }]],
  [
    'openai-chat',
    'a call of the old kind',
    [
      ask,
      { ...say(null), function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'a line' },
    ],
  ],
  ['openai-chat', 'reasoning beside calls', [ask, { ...calls('a'), reasoning_content: 'hm' }, tool('a')]],
  ['anthropic', 'nothing', []],
  ['anthropic', 'a prompt', [ask]],
  ['anthropic', 'two prompts', [ask, more, say('Hm.')]],
  ['anthropic', 'a call', [ask, uses('toolu_01-a'), answers('toolu_01-a'), say('Done.')]],
  ['anthropic', 'results in another order', [ask, uses('a', 'b'), answers('b', 'a')]],
  ['anthropic', 'a prompt behind results', [ask, uses('a'), user(result('a'), text('Go on.'), image)]],
  ['anthropic', 'a prompt in the next message', [ask, uses('a'), answers('a'), more]],
  ['anthropic', 'a text before a call', [ask, say([text('Reading.'), use('a')]), answers('a')]],
  ['anthropic', 'reasoning before a call', [ask, say([thinking, redacted, use('a')]), answers('a')]],
  ['anthropic', 'an empty last answer', [ask, say('')]],
  ['anthropic', 'a last answer without blocks', [ask, say([])]],
  ['anthropic', 'an empty result', [ask, uses('a'), user(result('a', ''))]],
  [
    'anthropic',
    'a result without content',
    [ask, uses('a'), user({ type: 'tool_result', tool_use_id: 'a' })],
  ],
  ['anthropic', 'an image as a result', [ask, uses('a'), user(result('a', [image]))]],
  [
    'anthropic',
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

export const knownGood: KnownGood[] = [...accepted, ...good].map(([format, name, messages]) => ({
  format,
  name,
  messages,
}))
