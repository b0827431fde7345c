// What cards show of terminal output, edits and long texts.
import { expect, test, vi } from 'vitest'
import { RecordedHistory } from '../../www/src/chat/agent/history.js'
import { ansiSpans } from '../../www/src/chat/content/ansi.js'
import { editDiff } from '../../www/src/chat/content/edit-diff.js'
import { diffOf } from '../../www/src/chat/content/known-diffs.js'
import { shortened } from '../../www/src/chat/content/portion.js'
import { readable, withoutSequences } from '../../www/src/chat/content/terminal.js'

const shown = (output: string) =>
  ansiSpans(output)
    .map(({ text }) => text)
    .join('')

/** Finds work that grows with the square of its input, which takes a minute and more: in milliseconds. */
const TOO_LONG = 10_000

/** Milliseconds of processor time that work takes: a busy machine does not increase it. */
function timeOf(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const SEQUENCES: Readonly<Record<string, string>> = {
  'a title': '\u001b]0;title\u0007',
  'a link': '\u001b]8;;javascript:alert(1)\u001b\\',
  'a cursor move of any size':
    '\u001b[99999999999999999999B\u001b[1;99999999999C\u001b[9999999999;9999999999H',
  'a private mode': '\u001b[?2004h\u001b[>4;2m\u001b[!p\u001b[6 q',
  'a device string': '\u001bP1$r0m\u001b\\\u001b_x\u001b\\\u001b^x\u001b\\',
  'a colour in another notation': '\u001b[38:2::1:2:3m\u001b[4:3m',
  'a character set': '\u001b(B\u001b)0\u001b7\u001b8\u001b=\u001b>\u001b%G\u001b#8',
  'a reset and other single characters': '\u001bc\u001bM\u001bE\u001bD\u001bN',
  'a sequence that begins with one character': '\u009b31m\u009b2J',
}

test.each(Object.entries(SEQUENCES))('escape sequences are neither shown nor searched: %s', (_, sequence) => {
  expect(shown(`a${sequence}b`)).toBe('ab')
  expect(withoutSequences(`a${sequence}b`)).toBe('ab')
})

test.each(['\u001b]0;title', '\u001b]8;;https://a.b'])(
  'the unterminated sequence %j does not hide the next line',
  (start) => {
    expect(shown(`a${start}\nb`)).toBe('a\nb')
    expect(withoutSequences(`a${start}\nb`)).toBe('a\nb')
  },
)

test('colours of terminal output are shown, and their sequences are not searched', () => {
  const output = '\u001b[1;38;2;1;2;3mred\u001b[0m \u001b[32mgreen'
  expect(shown(output)).toBe('red green')
  expect(ansiSpans(output).map(({ classes }) => classes !== '')).toContain(true)
  expect(withoutSequences(output)).toBe('red green')
})

test('a line overwritten after a carriage return shows its last text', () => {
  expect(shown('10 %\r50 %\rdone\r\nnext\rlast')).toBe('done\nlast')
  expect(shown('a\r')).toBe('')
})

test('a readable text has neither escape sequences nor control characters', () => {
  expect(readable('\u001b[31mred\u001b[0m\tone\r\ntwo\rthree\u0000\u0007\u0085\u001b[')).toBe(
    'red\tone\ntwo\nthree[',
  )
})

test('names and places are readable', () => {
  expect(shortened('ca\u0000t \u001b]0;title\u0007a.log')).toBe('cat a.log')
})

test('ansiSpans takes no quadratic time, also for one long line', () => {
  expect(timeOf(() => ansiSpans('x'.repeat(400_000)))).toBeLessThan(TOO_LONG)
  expect(timeOf(() => ansiSpans('\u001b[31mx\u001b[99999C'.repeat(20_000)))).toBeLessThan(TOO_LONG)
})

test('editDiff takes no quadratic time for texts that differ in every line', () => {
  const lines = (name: string) => Array.from({ length: 12_000 }, (_, at) => `${name}${at}`).join('\n')
  let diff: ReturnType<typeof editDiff> = null
  expect(
    timeOf(() => {
      diff = editDiff({ old_string: lines('a'), new_string: lines('b') })
    }),
  ).toBeLessThan(TOO_LONG)
  expect(diff).toHaveLength(24_000)
})

test('editDiff marks only the changed lines of a long text', () => {
  const text = Array.from({ length: 5000 }, (_, at) => `line ${at}`)
  const changed = text.map((line, at) => (at % 10 === 0 ? `${line}!` : line))
  const diff = editDiff({ old_string: text.join('\n'), new_string: changed.join('\n') })
  expect(diff?.filter(({ sign }) => sign === '+')).toHaveLength(500)
  expect(diff?.filter(({ sign }) => sign === ' ')).toHaveLength(4500)
})

test('shortened adds an ellipsis, and never splits a surrogate pair', () => {
  expect(shortened('abc', 3)).toBe('abc')
  expect(shortened('abcd', 3)).toBe('abc…')
  expect(shortened('ab😀', 3)).toBe('ab…')
})

test('the lines of an edit are compared once, and a long text is read once', () => {
  const call = {
    id: 'a',
    type: 'function',
    function: { name: 'edit_file', arguments: '{"path":"a.ts","old_string":"a","new_string":"b"}' },
  }
  const messages = [
    { role: 'user', content: 'long '.repeat(10_000) },
    { role: 'assistant', content: null, tool_calls: [call] },
  ]
  const history = RecordedHistory.empty('openai-chat').of(messages)
  const [said, edit] = history.messages.map(({ blocks }) => blocks[0])
  if (said === undefined || edit === undefined) throw new Error('both messages have a block')
  const argumentsOf = vi.spyOn(history, 'argumentsOf')
  expect(diffOf(edit, history)).toEqual([
    { sign: '-', text: 'a' },
    { sign: '+', text: 'b' },
  ])
  expect(diffOf(edit, history)).toBe(diffOf(edit, history))
  expect(argumentsOf).toHaveBeenCalledTimes(1)

  expect(history.textOf(said)).toBe(messages[0]?.content)
  const encodeInto = vi.spyOn(TextEncoder.prototype, 'encodeInto')
  expect(history.textOf(said)).toBe(messages[0]?.content)
  expect(encodeInto).not.toHaveBeenCalled()
  encodeInto.mockRestore()
})
