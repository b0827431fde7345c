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
  twice,
  unanswered,
  without,
} from './row.js'

const called = (call_id: unknown, type = 'function_call'): Message => ({
  type,
  call_id,
  name: 'read_file',
  arguments: '{}',
})
const put = (call_id: unknown, output: unknown = 'a line', type = 'function_call_output'): Message => ({
  type,
  call_id,
  output,
})
const thought = (id: string): Message => ({ type: 'reasoning', id, summary: [], encrypted_content: 'b3Bh' })
const shell = called('a', 'shell_call')
const printed = [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
const localShell = { type: 'local_shell_call', id: 'lsh_1', call_id: 'a', action: { type: 'exec' } }

const bad: BadRow[] = [
  ['a call at the end', [ask, called('a')], 'unanswered-call', 1, unanswered],
  ['a call before a prompt', [ask, called('a'), more], 'unanswered-call', 1, unanswered],
  ['one of two calls', [ask, called('a'), called('b'), put('a')], 'unanswered-call', 2, unanswered],
  ['a call behind reasoning', [ask, thought('r'), called('a'), more], 'unanswered-call', 2, unanswered],
  ['a shell call', [ask, shell, more], 'unanswered-call', 1, unanswered],
  ['a custom call', [ask, called('a', 'custom_tool_call')], 'unanswered-call', 1, unanswered],
  ['a patch', [ask, called('a', 'apply_patch_call')], 'unanswered-call', 1, unanswered],
  ['a local shell call', [ask, localShell, more], 'unanswered-call', 1, unanswered],
  ['an output at the start', [put('a'), ask], 'orphan-result', 0, orphan],
  ['an output of no call', [ask, called('a'), put('a'), put('x')], 'orphan-result', 3, orphan],
  ['an output of another kind', [ask, shell, put('a')], 'orphan-result', 2, orphan],
  ['two outputs of a call', [ask, called('a'), put('a'), put('a')], 'duplicate-result', 3, orphan],
  ['an output before its call', [ask, put('a'), called('a')], 'result-order', 1, orphan],
  [
    'an output before its call, between others',
    [ask, put('a'), thought('r'), called('a'), called('b'), put('b')],
    'result-order',
    1,
    orphan,
  ],
  ['a call_id twice', [ask, called('a'), called('a'), put('a'), put('a')], 'duplicate-id', 2, twice],
  ['a call_id again later', [ask, called('a'), put('a'), called('a'), put('a')], 'duplicate-id', 3, twice],
  ['a call without call_id', [ask, called(undefined), put('a')], 'missing-id', 1, noId],
  ['an empty call_id', [ask, called(''), put('')], 'missing-id', 1, noId],
  ['an output without call_id', [ask, called('a'), put('a'), put(undefined)], 'missing-id', 3, noResultId],
  [
    'a nameless call beside a shell',
    [ask, called(''), put('', printed, 'shell_call_output')],
    'missing-id',
    1,
    noId,
  ],
  ['no output', [ask, called('a'), without(put('a'), 'output')], 'empty-content', 2, 'no content'],
  ['an output without parts', [ask, called('a'), put('a', [])], 'empty-content', 2, 'no content'],
  [
    'a shell without output',
    [ask, shell, put('a', [], 'shell_call_output')],
    'empty-content',
    2,
    'no content',
  ],
  ['reasoning at the end', [ask, thought('r')], 'reasoning-last', 1, 'reasoning alone'],
  ['reasoning before a prompt', [ask, thought('r'), more], 'reasoning-last', 1, 'reasoning alone'],
  [
    'reasoning before an output',
    [ask, called('a'), thought('r'), put('a')],
    'reasoning-last',
    2,
    'reasoning alone',
  ],
  [
    'reasoning twice',
    [ask, thought('r'), say('Hm.'), thought('r'), say('Hm.')],
    'duplicate-item',
    3,
    'same item twice',
  ],
  [
    'an item id twice',
    [ask, { ...called('a'), id: 'fc_1' }, put('a'), { ...called('b'), id: 'fc_1' }, put('b')],
    'duplicate-item',
    3,
    'same item twice',
  ],
]

const good: GoodRow[] = [
  ['a call', [ask, called('a'), put('a'), say('Done.')]],
  ['a prompt between', [ask, called('a'), more, put('a')]],
  ['outputs in another order', [ask, called('a'), called('b'), put('b'), put('a')]],
  ['reasoning, twice before a call', [ask, thought('r'), thought('s'), called('a'), put('a')]],
  ['reasoning before a search', [ask, thought('r'), { type: 'web_search_call', id: 'w' }, say('Hm.')]],
  ['reasoning before a reference', [ask, thought('r'), { type: 'item_reference', id: 'm' }]],
  ['one id for two kinds', [ask, called('a'), put('a'), shell, put('a', printed, 'shell_call_output')]],
  ['a local shell as Codex answers it', [ask, localShell, put('a')]],
  [
    'a local shell as the reference answers it',
    [ask, localShell, { type: 'local_shell_call_output', id: 'a', output: '{}' }],
  ],
  [
    'a patch without output',
    [ask, called('a', 'apply_patch_call'), put('a', undefined, 'apply_patch_call_output')],
  ],
]

export const openaiResponses = { bad, good }
