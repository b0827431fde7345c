// What providers and frameworks have beside plain texts, calls and results: converted to every format, and saved.
import fc from 'fast-check'
import { type Format, project, rollingContext, validate } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { readTranscript, writeTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { problems } from '../node/oracle.js'
import { runs } from '../node/random.js'
import { FORMATS } from '../node/write.js'
import { historyOf, SOURCES } from './provider-items.js'

describe.each(Object.entries(SOURCES))('a history of %s with items of its own', (name, source) => {
  const from = name as Format
  const check = (law: (history: object[]) => void): void =>
    fc.assert(fc.property(historyOf(source), law), { numRuns: Math.ceil(runs.numRuns / 2) })

  test('is valid, and so is its view', () => {
    check((history) => {
      expect(validate(history, { format: from })).toEqual([])
      const view = project(history, rollingContext(), { format: from }).messages
      expect(problems(view, from)).toEqual([])
    })
  })

  test.each(['saved-session', `${from}-messages`] as const)('is read back from a file: %s', (kind) => {
    check((history) => {
      const { text } = writeTranscript(history, { kind, format: from })
      expect(readTranscript(text)).toMatchObject({ format: from, messages: history, skipped: [] })
    })
  })

  test.each(['claude-code', 'codex', 'pi', 'swe-agent'] as const)('is valid in a session of %s', (kind) => {
    check((history) => {
      const { format, messages } = readTranscript(writeTranscript(history, { kind, format: from }).text)
      expect(problems(messages, format)).toEqual([])
    })
  })

  test.each(FORMATS)('is valid as %s, and back', (to) => {
    check((history) => {
      const there = convertMessages(history, to, { format: from }).messages
      expect(problems(there, to)).toEqual([])
      expect(validate(there, { format: to })).toEqual([])
      const back = convertMessages(there, from, { format: to }).messages
      expect(problems(back, from)).toEqual([])
    })
  })
})
