import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { fixture, fixtureFolder, fixtures, realSessions, sampleFile } from './files.js'
import { problemsOf } from './validity.js'

describe('every fixture', () => {
  test.each(fixtures())('$name is read as expected', ({ name, text }) => {
    const expected: unknown = JSON.parse(
      readFileSync(join(fixtureFolder, 'expected', `${name}.json`), 'utf8'),
    )
    // reported.test.ts checks what the provider reported.
    const { requests: _requests, times: _times, usage: _usage, ...transcript } = readTranscript(text)
    expect(transcript).toEqual(expected)
  })

  test.each(fixtures())('$name is valid for its provider', ({ text }) => {
    const { messages, format } = readTranscript(text)
    expect(problemsOf(messages, format)).toEqual([])
  })

  test.each(fixtures())('$name is read the same with a byte order mark and CRLF', ({ text }) => {
    expect(readTranscript(`\ufeff${text.replaceAll('\n', '\r\n')}`)).toEqual(readTranscript(text))
  })

  // A running session may end after any line.
  test.each(fixtures().filter(({ name }) => name.endsWith('.jsonl')))(
    '$name is valid when it is cut after any line',
    ({ text }) => {
      const lines = text.trimEnd().split('\n')
      for (let end = 1; end <= lines.length; end += 1) {
        const read = tryRead(lines.slice(0, end).join('\n'))
        if (read !== undefined)
          expect(problemsOf(read.messages, read.format), `up to line ${end}`).toEqual([])
      }
    },
  )
})

function tryRead(text: string): ReturnType<typeof readTranscript> | undefined {
  try {
    return readTranscript(text)
  } catch (error) {
    expect(error).toMatchObject({ code: 'unreadable_transcript' })
    return undefined
  }
}

describe("readTranscript with history: 'full'", () => {
  const cases = [
    [
      'claude-code-compacted.jsonl',
      ['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant'],
    ],
    ['codex-compacted.jsonl', ['user', 'assistant', 'tool', 'user', 'assistant', 'tool', 'assistant']],
    ['pi-tree.jsonl', ['user', 'assistant', 'user', 'assistant', 'user', 'assistant']],
  ] as const

  test.each(cases)('reads %s across compactions', (name, roles) => {
    const { messages, format } = readTranscript(fixture(name).text, { history: 'full' })
    expect(messages.map((message) => (message as { role: string }).role)).toEqual(roles)
    expect(problemsOf(messages, format)).toEqual([])
  })
})

describe('real sessions', () => {
  const facts: Record<string, { kind: string; format: string; messages: number; skipped: number }> = {
    'pi-large-session.jsonl': { kind: 'pi', format: 'anthropic', messages: 861, skipped: 126 },
    'cline-session.messages.json': {
      kind: 'anthropic-messages',
      format: 'anthropic',
      messages: 32,
      skipped: 0,
    },
    'swe-agent-marshmallow-1867.traj': { kind: 'swe-agent', format: 'openai-chat', messages: 28, skipped: 0 },
  }
  const sessions = realSessions()

  test.skipIf(sessions.length === 0)('are read and valid for their provider', () => {
    for (const { name, text } of sessions) {
      const { kind, format, messages, skipped } = readTranscript(text, { name })
      expect(problemsOf(messages, format), name).toEqual([])
      const known = facts[name]
      const count = skipped.reduce((sum, entry) => sum + entry.count, 0)
      if (known !== undefined)
        expect({ kind, format, messages: messages.length, skipped: count }).toEqual(known)
    }
  })

  test.skipIf(sessions.length === 0)('keep every tool result of the pi session', () => {
    const pi = sessions.find(({ name }) => name === 'pi-large-session.jsonl')
    const { messages } = readTranscript(pi?.text ?? '')
    const blocks = messages.flatMap((message) => (message as { content: { type?: string }[] }).content)
    const lines = (pi?.text ?? '').split('\n').filter((line) => line.includes('"role":"toolResult"'))
    expect(blocks.filter((block) => block.type === 'tool_result')).toHaveLength(lines.length)
  })
})

describe('the sample session', () => {
  test('is a Claude Code session with one unanswered call', () => {
    const { kind, messages, format, title } = readTranscript(readFileSync(sampleFile, 'utf8'))
    expect({ kind, format }).toEqual({ kind: 'claude-code', format: 'anthropic' })
    expect(title).toBe('Next high water off by a day east of Greenwich')
    expect(messages.length).toBeGreaterThanOrEqual(60)
    expect(problemsOf(messages, format)).toEqual([])
  })
})
