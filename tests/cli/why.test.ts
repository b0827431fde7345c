import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diagnose, diagnoseSession } from 'trimtab/money'
import { readRequests, readTranscript } from 'trimtab/transcripts'
import { afterAll, describe, expect, test } from 'vitest'
import { sampleFile } from '../transcripts/files.js'
import { trimtab } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'trimtab-why-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exchange = (at: number): object[] => [
  { role: 'user', content: [{ type: 'text', text: `Question ${at}. ${'more '.repeat(900)}` }] },
  { role: 'assistant', content: [{ type: 'text', text: `Answer ${at}.` }] },
]
const usage = (read: number, written: number) => ({
  input_tokens: 0,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
  output_tokens: 8,
})
const entry = (minute: number, name: string, messages: object[], read: number, written: number): string =>
  JSON.stringify({
    timestamp: new Date(1_780_000_000_000 + minute * 60_000).toISOString(),
    request: { model: 'claude-sonnet-4-5', tools: [{ name }], messages },
    response: { usage: usage(read, written) },
  })
const log = [
  entry(0, 'Read', exchange(0).slice(0, 1), 0, 2000),
  entry(1, 'Read', [...exchange(0), ...exchange(1).slice(0, 1)], 2000, 2010),
  entry(20, 'Read', [...exchange(0), ...exchange(1), ...exchange(2).slice(0, 1)], 0, 6030),
  entry(21, 'Grep', [0, 1, 2, 3].flatMap(exchange).slice(0, 7), 0, 8040),
].join('\n')
const file = join(folder, 'log.jsonl')
writeFileSync(file, log)

describe('trimtab why', () => {
  test('lists causes and requests of a log, worst first, in 80 columns', () => {
    const { status, stderr, stdout } = trimtab(['why', file])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('From the requests themselves.')
    expect(stdout).toMatch(/tools changed +1 +6,0\d\d +\d+\.\d %\n +expired +1 +4,0\d\d/)
    expect(stdout).toMatch(/3 +6,0\d\d +[\d.]+ % +tools changed: Read, Grep\n +2 +4,0\d\d/)
    expect(stdout).toContain('expired: a pause of 1,140 s, the cache lives 300 s')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('--json equals the result of diagnose()', () => {
    const { stdout } = trimtab(['why', file, '--json'])
    expect(JSON.parse(stdout)).toEqual({ file, ...diagnose(readRequests(log) ?? []) })
  })

  test('--ttl sets the cache lifetime and --most limits the list', () => {
    const { stdout } = trimtab(['why', file, '--ttl', '3600', '--most', '1'])
    expect(stdout).not.toContain('expired')
    expect(stdout).toContain('The worst 1 of 2 requests')
  })

  test('diagnoses a session and says that its data is incomplete', () => {
    const { stdout } = trimtab(['why', sampleFile, '--json'])
    const session = readTranscript(readFileSync(sampleFile, 'utf8'), { history: 'full' })
    expect(JSON.parse(stdout)).toEqual({ file: sampleFile, ...diagnoseSession(session) })
    expect(trimtab(['why', sampleFile]).stdout).toContain('as far as they tell')
  })

  test('reads a log of requests without responses', () => {
    const bare = join(folder, 'bare.jsonl')
    const requests = log.split('\n').map((line) => JSON.stringify(JSON.parse(line).request))
    writeFileSync(bare, requests.join('\n'))
    const { stderr, stdout } = trimtab(['why', bare])
    expect(stderr).toBe('')
    expect(stdout).toContain('4 requests')
    expect(stdout).toContain('(estimated)')
    expect(stdout).toMatch(/\n +3 +[\d,]+ +[\d.]+ % +tools changed: Read, Grep\n/)
    // Training conversations are not requests, and a single request is no log.
    for (const other of [requests.map((line) => line.replace('"model"', '"m"')), requests.slice(0, 1)])
      expect(readRequests(other.join('\n'))).toBeUndefined()
  })

  test('says that nothing is known of a session without usage', () => {
    const silent = join(folder, 'silent.json')
    writeFileSync(silent, JSON.stringify(exchange(0)))
    const { status, stdout } = trimtab(['why', silent])
    expect(status).toBe(0)
    expect(stdout.replace(/\s+/g, ' ')).toContain('nothing is known of its requests')
    expect(stdout).not.toContain('All that had been sent')
  })

  test('does not say that all was read from the cache if nothing was', () => {
    const { stdout } = trimtab(['why', sampleFile])
    expect(stdout).toContain('0.0 % from the cache')
    expect(stdout.replace(/\s+/g, ' ')).toContain('No tokens were read from the cache, and none are known')
    expect(stdout).not.toContain('All that had been sent')
  })

  test('prints large numbers in 80 columns', () => {
    const asked = (at: number) => [0, 1, 2, 3].flatMap(exchange).slice(0, 2 * at + 1)
    const lines = [0, 1, 2, 3].map((at) => entry(at, 'Read', asked(at), 0, 41_000_000))
    const large = join(folder, 'large.jsonl')
    writeFileSync(large, lines.join('\n'))
    const { stdout } = trimtab(['why', large])
    expect(stdout).toMatch(/\d\d,\d{3},\d{3} had been sent/)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test('refuses a file that is not a session with a one-line error', () => {
    const broken = join(folder, 'broken.jsonl')
    writeFileSync(broken, 'no session')
    const { status, stderr, stdout } = trimtab(['why', broken])
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})
