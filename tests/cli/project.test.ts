// `trimtab project --to AGENT`: what is known beside the messages is carried over, or named.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTranscript, type Transcript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { fixture } from '../transcripts/files.js'
import { scratchFolder } from '../workspace/folder.js'
import { trimtab } from './run.js'

const file = fixture('claude-code.jsonl').path
const before = readTranscript(readFileSync(file, 'utf8'))
const written = (kind: string, policy = 'off') => {
  const { stderr, stdout } = trimtab(['project', file, '--policy', policy, '--to', kind])
  const notes = stderr.match(/(?<=not carried over).*(?= of the session)/g) ?? []
  return { notes, read: readTranscript(stdout) }
}
const reported = ({ usage }: Transcript) => usage?.filter((one) => one !== null)
const REQUESTS = ', or not in full: requests (models, cache writes)'

describe('what is known beside the messages', () => {
  test('is there to carry over', () => {
    expect(before.cwd).toBe('/home/ana/kiln')
    expect(reported(before)?.length).toBeGreaterThan(1)
    expect(before.requests?.some((one) => one?.model === 'sample-model')).toBe(true)
  })

  test.each(['claude-code', 'codex', 'pi'])('is carried over to a file of %s', (kind) => {
    const { read } = written(kind)
    expect(read.cwd).toBe(before.cwd)
    expect(reported(read)).toEqual(reported(before))
  })

  test('includes models', () => {
    expect(written('claude-code').read.requests).toEqual(before.requests)
  })

  test.each([
    ['claude-code', []],
    ['codex', [': title', REQUESTS]],
    ['pi', [REQUESTS]],
    ['swe-agent', [': title', ': times', ': usage', REQUESTS, ': folder']],
  ])('is named if a file of %s does not hold it', (kind, expected) => {
    expect(written(kind).notes).toEqual(expected)
  })

  test('is not what was reported of other requests', () => {
    const policy = join(scratchFolder(), 'policy.json')
    const age = { maxToolOutputAge: 0, maxToolOutputTokens: 0, preserveRecentFiles: false }
    writeFileSync(policy, JSON.stringify({ age, protect: { failureTokens: 0 } }))
    const { notes, read } = written('claude-code', policy)
    expect(read.messages).not.toEqual(written('claude-code').read.messages)
    expect(reported(read)).toBeUndefined()
    expect(read.requests?.some((one) => one?.model === 'sample-model')).toBe(true)
    expect(notes).toEqual([': usage'])
  })
})
