import fc from 'fast-check'
import { project, smartRetention, TrimtabError } from 'trimtab'
import {
  compose,
  dedupeFileReads,
  hideToolArgs,
  keepRecentToolResults,
  type MessagePass,
  smartToolRetention,
  truncateToolResults,
} from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'
import { conversation, format } from './conversation.js'
import { problems } from './oracle.js'
import { runs } from './random.js'
import { write } from './write.js'

interface Chat {
  role: string
  content: string
  note?: number
}

let next = 0
/** A call with its result. */
function use(name: string, args: object, content: string): Chat[] {
  const id = `call_${next++}`
  const tool_calls = [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }]
  return [
    { role: 'assistant', content: '', tool_calls } as Chat,
    { role: 'tool', tool_call_id: id, content } as Chat,
  ]
}
const read = (path: string, content: string) => use('read_file', { path }, content)
const results = (messages: readonly Chat[]) => messages.filter((m) => m.role === 'tool').map((m) => m.content)

/** For each result, whether it is unchanged. */
const kept = (pass: MessagePass, history: Chat[]) => {
  const before = results(history)
  return results(pass(history)).map((text, i) => text === before[i])
}

const versions = (count: number) => Array.from({ length: count }, (_, i) => `version ${i} `.repeat(100))

describe('smartToolRetention', () => {
  // The document's table: all of 1 and 2, first and last of 3 to 5, and of more up to three samples between.
  test.each([
    [1, [0]],
    [2, [0, 1]],
    [3, [0, 2]],
    [5, [0, 4]],
    [6, [0, 1, 2, 3, 5]],
    [9, [0, 1, 3, 5, 8]],
  ])('keeps, of %i reads of one file, those at %j', (count, expected) => {
    const history = versions(count).flatMap((text) => read('config.py', text))
    const stay = kept(smartToolRetention(), history).flatMap((same, i) => (same ? [i] : []))
    expect(stay).toEqual(expected)
  })

  test('writes pointers and clipped output as specified, and keeps edits and the order', () => {
    const log = Array.from({ length: 900 }, (_, i) => `line ${i} of the build\n`).join('')
    const history = [
      // The same content three times, so the pointer says that the first read shows it.
      ...Array.from({ length: 3 }, () => read('config.py', versions(1)[0] as string)).flat(),
      ...use('bash', { command: 'npm test' }, log),
      ...use('edit_file', { path: 'b.py', old_str: 'a', new_str: 'b' }, `Edited b.py ${'diff '.repeat(300)}`),
    ]
    const view = smartToolRetention()(history)
    expect(view.map((message) => message.role)).toEqual(history.map((message) => message.role))
    const [, pointer, , bash, edit] = results(view)
    expect(pointer).toBe('[Re-read of config.py - see first read above for content]')
    expect(bash).toBe(
      `${log.slice(0, 2000)}\n\n... [truncated: ${log.length.toLocaleString('en-US')} chars total, 900 lines] ...\n\n${log.slice(-2000)}`,
    )
    expect(edit).toBe(results(history)[4])
  })

  test('does the same as the preset smartRetention with its options', () => {
    const history = versions(6).flatMap((text) => read('a.ts', text))
    const options = { maxFileReads: 3, bashTruncate: 4000 }
    const policy = { ...smartRetention(options), reads: { maxFileReads: 3 }, recall: false }
    const view = project(history, policy).messages
    expect(smartToolRetention(options)(history)).toEqual(view)
    expect(view).not.toEqual(smartToolRetention()(history))
  })

  test('refuses an unknown option and names the nearest one', () => {
    const options = { maxFileRead: 3 } as object
    expect(() => smartToolRetention(options)).toThrow(TrimtabError)
    expect(() => smartToolRetention(options)).toThrow(
      'unknown field `maxFileRead`; did you mean `maxFileReads`?',
    )
    expect(() => smartToolRetention({ maxFileReads: -1 })).toThrow(/maxFileReads must be a whole number/)
  })
})

describe('message passes', () => {
  test('dedupeFileReads keeps the first and last read of the same lines, and other tools', () => {
    const history = [
      ...versions(4).flatMap((text) => read('a.ts', text)),
      ...versions(2).flatMap((text) => read('b.ts', text)),
      ...use('grep', { pattern: 'x' }, 'src/a.ts:1: x\n'.repeat(100)),
      ...use('grep', { pattern: 'x' }, 'src/a.ts:1: x\n'.repeat(100)),
    ]
    expect(kept(dedupeFileReads(), history)).toEqual([true, false, false, true, false, true, true, true])
  })

  test('keepRecentToolResults keeps the newest results, 30 by default', () => {
    const history = Array.from({ length: 34 }, (_, i) => use('bash', {}, `${i} `.repeat(200))).flat()
    const count = (pass: MessagePass) => kept(pass, history).filter(Boolean).length
    expect(count(keepRecentToolResults())).toBe(30)
    expect(count(keepRecentToolResults(3))).toBe(3)
    expect(kept(keepRecentToolResults(1), history).at(-1)).toBe(true)
    expect(() => keepRecentToolResults(1, { keep: 2 } as never)).toThrow('unknown field `keep`')
    expect(() => keepRecentToolResults(1.5)).toThrow(/keep must be a whole number/)
  })

  test('hideToolArgs cuts long arguments of every tool, and keeps them JSON with the same keys', () => {
    const long = 'word '.repeat(200)
    const args = { path: 'a.ts', content: long, nested: { text: long, count: 3 } }
    const history = [
      ...use('write_file', args, 'written'),
      ...use('weird', args, 'done'),
      ...use('weird', args, 'Error: failed'),
      ...use('write_file', args, 'written'),
    ]
    const argsOf = (messages: readonly Chat[]) =>
      messages.flatMap((message) => {
        const [call] = (message as { tool_calls?: { function: { arguments: string } }[] }).tool_calls ?? []
        return call === undefined ? [] : [JSON.parse(call.function.arguments) as typeof args]
      })
    const whole = (messages: readonly Chat[]) => argsOf(messages).map(({ content }) => content === long)
    const view = hideToolArgs()(history)
    expect(whole(view)).toEqual([false, false, true, true])
    const [first] = argsOf(view) as [typeof args]
    expect(first).toMatchObject({ path: 'a.ts', nested: { count: 3 } })
    expect(long.startsWith(first.content.split('…')[0] as string)).toBe(true)
    expect(first.content.length).toBeLessThan(200)
    expect(whole(hideToolArgs(200, { after: 2 })(history))).toEqual([false, true, true, true])
    expect(whole(hideToolArgs(2000)(history))).toEqual([true, true, true, true])
    expect(() => hideToolArgs(64, { afer: 1 } as never)).toThrow('did you mean `after`?')
    expect(() => hideToolArgs(63)).toThrow(/maxChars must be a whole number from 64 on/)
  })

  test('smartToolRetention keeps all edits, or replaces many old ones with a note', () => {
    const edits = Array.from({ length: 30 }, (_, i) => {
      const args = { path: 'a.py', old_str: `old ${i} `.repeat(400), new_str: `new ${i} `.repeat(400) }
      return use('edit_file', args, 'Edited')
    }).flat()
    expect(smartToolRetention()(edits)).toEqual(edits)
    const view = JSON.stringify(smartToolRetention({ keepAllEdits: false })(edits))
    expect(view.includes('[Edits to a.py: ')).toBe(true)
    expect(view.length).toBeLessThan(JSON.stringify(edits).length)
  })

  test('truncateToolResults cuts results of every tool', () => {
    const long = 'x'.repeat(5001)
    const history = [...read('a.ts', long), ...use('weird', {}, long), ...use('bash', {}, long.slice(1))]
    expect(results(truncateToolResults()(history)).map((text) => text.length < 3000)).toEqual([
      true,
      true,
      false,
    ])
    expect(
      results(truncateToolResults(100)(history)).every((text) => text.startsWith(`${'x'.repeat(20)}\n\n...`)),
    ).toBe(true)
  })
})

describe('compose', () => {
  test('applies passes from left to right, and keeps the type of the messages', () => {
    const seen: string[] = []
    const note =
      (name: string) =>
      (messages: readonly Chat[]): Chat[] => {
        seen.push(name)
        return messages.map((message) => ({ ...message, note: (message.note ?? 0) + 1 }))
      }
    const both = compose(note('a'), note('b'))
    const view: Chat[] = both([{ role: 'user', content: 'hello' }])
    expect(seen).toEqual(['a', 'b'])
    expect(view).toEqual([{ role: 'user', content: 'hello', note: 2 }])
    // Passes of the package compose to one that takes any host's messages, and mix with a host's own passes.
    const ours: MessagePass = compose(smartToolRetention(), keepRecentToolResults(2))
    const mixed: Chat[] = compose<Chat>(ours, note('c'))(view)
    expect(mixed[0]?.note).toBe(3)
  })

  test('returns a copy if it has no passes, and refuses a pass that is not a function', () => {
    const history = [{ role: 'user', content: 'hi' }]
    const view = compose()(history)
    expect(view).toEqual(history)
    expect(view).not.toBe(history)
    expect(() => compose(3 as unknown as MessagePass)).toThrow(/passes\[0\] must be a function/)
  })

  test('makes the same objects again, however many other policies there were', () => {
    const history = [
      { role: 'user', content: 'Build.' },
      ...use('bash', { command: 'make' }, 'x'.repeat(900)),
    ]
    for (let i = 0; i < 80; i++) {
      const all = compose(...[0, 1, 2].map((one) => truncateToolResults(200 + 3 * i + one)))
      const view = all(history)
      expect(view).not.toEqual(history)
      expect(all([...history]).every((message, at) => message === view[at])).toBe(true)
    }
  })

  test('makes the same view as its passes in sequence, and the same objects again', () => {
    const passes = [
      smartToolRetention({ keepAllEdits: false }),
      truncateToolResults(200),
      keepRecentToolResults(4),
      hideToolArgs(64),
      dedupeFileReads(),
    ]
    const all = compose(...passes)
    fc.assert(
      fc.property(conversation, format, (turns, name) => {
        const history = write(turns, name)
        Object.freeze(history)
        const view = all(history)
        expect(view).toEqual(passes.reduce<readonly object[]>((messages, pass) => pass(messages), history))
        expect(problems(view, name)).toEqual(problems(history, name))
        // At the next step, unchanged messages are the same objects.
        const again = all([...history])
        expect(again.every((message, i) => message === view[i])).toBe(true)
      }),
      { ...runs, numRuns: Math.ceil((runs.numRuns ?? 500) / 4) },
    )
  })
})
