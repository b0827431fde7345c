import type { Message } from '../write.js'
import { type BadRow, type GoodRow, orphan, twice, unanswered } from './row.js'

const prompt = (...parts: object[]): Message => ({ role: 'user', parts })
const model = (...parts: object[]): Message => ({ role: 'model', parts })
const go = prompt({ text: 'What is in the file?' })
const hm = model({ text: 'Hm.' })
const fn = (name = 'read', id?: string) => ({
  functionCall: { ...(id ? { id } : {}), name, args: { path: 'a.ts' } },
})
const back = (name = 'read', id?: string) => ({
  functionResponse: { ...(id ? { id } : {}), name, response: { output: 'a line' } },
})

const bad: BadRow[] = [
  ['a call at the end', [go, model(fn())], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [go, model(fn()), go], 'unanswered-call', 1, unanswered],
  [
    'one of two calls',
    [go, model(fn('read'), fn('ls')), prompt(back('ls'))],
    'unanswered-call',
    1,
    unanswered,
  ],
  [
    'one of two calls of a tool',
    [go, model(fn('read'), fn('read')), prompt(back('read'), { text: 'Go on.' })],
    'unanswered-call',
    1,
    unanswered,
  ],
  ['a response at the start', [prompt(back()), hm], 'orphan-result', 0, orphan],
  ['a response too many', [go, model(fn()), prompt(back(), back())], 'orphan-result', 2, orphan],
  [
    'a response of no id',
    [go, model(fn('read', 'a')), prompt(back('read', 'x'))],
    'orphan-result',
    2,
    orphan,
  ],
  [
    'two responses of a call',
    [go, model(fn('read', 'a')), prompt(back('read', 'a'), back('read', 'a'))],
    'duplicate-result',
    2,
    orphan,
  ],
  ['a prompt between', [go, model(fn()), go, prompt(back())], 'result-order', 3, orphan],
  [
    'responses in two contents',
    [go, model(fn('read'), fn('ls')), prompt(back('read')), prompt(back('ls'))],
    'result-order',
    3,
    orphan,
  ],
  ['a response of the model', [go, model(fn()), model(back())], 'result-role', 2, 'result of the model'],
  ['a call of the user', [prompt({ text: 'Hm.' }, fn())], 'call-role', 0, 'call of the user'],
  [
    'another name',
    [go, model(fn('read', 'a')), prompt(back('tool_result', 'a'))],
    'result-name',
    2,
    'another name',
  ],
  [
    'another name without ids',
    [go, model(fn('read')), prompt(back('tool_result'))],
    'result-name',
    2,
    orphan,
  ],
  [
    'an id twice',
    [go, model(fn('read', 'a'), fn('ls', 'a')), prompt(back('read', 'a'), back('ls', 'a'))],
    'duplicate-id',
    1,
    twice,
  ],
  ['no parts', [go, model(), go], 'empty-content', 1, 'no content'],
  ['an empty text', [go, model({ text: '' }), go], 'empty-text', 1, 'empty text'],
  ['a part of nothing', [prompt({ text: 'Hm.' }, {})], 'empty-text', 0, 'empty text'],
  [
    'a text as response',
    [go, model(fn()), prompt({ functionResponse: { name: 'read', response: 'a line' } })],
    'result-shape',
    2,
    'response is no object',
  ],
  ['a call first', [model(fn()), prompt(back())], 'call-order', 0, 'calls after the model'],
  [
    'a call behind an answer',
    [go, hm, model(fn()), prompt(back())],
    'call-order',
    2,
    'calls after the model',
  ],
]

const signedCall = { ...fn('read', 'a'), thoughtSignature: 'c2ln' }

const good: GoodRow[] = [
  ['a prompt', [{ parts: [{ text: 'Hello.' }] }]],
  ['a call without ids', [go, model(fn()), prompt(back()), hm]],
  [
    'calls with ids, in another order',
    [go, model(fn('read', 'a'), fn('ls', 'b')), prompt(back('ls', 'b'), back('read', 'a'))],
  ],
  ['a response without the id', [go, model(fn('read', 'a')), prompt(back('read'))]],
  ['a prompt beside a response', [go, model(fn()), prompt({ text: 'Here:' }, back(), { text: 'Go on.' })]],
  ['the older role', [go, model(fn()), { role: 'function', parts: [back()] }]],
  ['a signed call', [go, model({ text: 'hm', thought: true }, signedCall), prompt(back('read', 'a'))]],
  ['a signature on an empty text', [go, model({ text: 'Hm.' }, { text: '', thoughtSignature: 'c2ln' })]],
  ['a response of nothing', [go, model(fn()), prompt({ functionResponse: { name: 'read', response: {} } })]],
  ['answers in a row', [go, hm, hm, go]],
]

export const gemini = { bad, good }
