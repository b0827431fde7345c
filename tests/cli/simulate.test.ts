import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheAware, off, rollingContext } from 'trimtab'
import {
  combineSimulations,
  PRICES,
  pricesOf,
  type Simulation,
  simulate,
  simulationPicture,
  type Tuning,
  tune,
  tuningPicture,
} from 'trimtab/money'
import { readTranscript } from 'trimtab/transcripts'
import { afterAll, describe, expect, test } from 'vitest'
import { fixture, sampleFile } from '../transcripts/files.js'
import { trimtab } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'trimtab-simulate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tried = ['--policy', 'off', '--policy', 'rolling-context']
const library = (file: string): Simulation => {
  const { messages, format, system, times } = readTranscript(readFileSync(file, 'utf8'))
  const beside = { ...(system === undefined ? {} : { system }), ...(times === undefined ? {} : { times }) }
  return simulate(messages, { off: off(), 'rolling-context': rollingContext() }, { format, ...beside })
}

describe('trimtab simulate', () => {
  test('prints a table in 80 columns', () => {
    const { status, stdout, stderr } = trimtab(['simulate', sampleFile, '--window', '20000'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stdout).toMatch(/^ {2}off +1\.00 /m)
    expect(stdout).toMatch(/cost +again +regret .*rewrites +edits +files +fails +over/)
    const words = stdout.replace(/\s+/g, ' ')
    expect(words).toMatch(/Cheapest, with what was missed fetched again: \S+, \d\.\d\d\./)
    expect(words).toMatch(/the cheapest plan that keeps all evidence, .*: 0\.\d\d\./)
  })

  test('--json equals the result of simulate()', () => {
    const { stdout } = trimtab(['simulate', sampleFile, '--json', ...tried])
    expect(JSON.parse(stdout)).toEqual({ files: [sampleFile], ...library(sampleFile) })
  })

  test('sums up several sessions', () => {
    const files = [sampleFile, fixture('pi.jsonl').path]
    const { stdout } = trimtab(['simulate', ...files, '--json', ...tried])
    const whole = JSON.parse(stdout) as Simulation
    const parts = files.map(library)
    expect(whole).toEqual({ files, ...combineSimulations(parts) })
    const sum = (of: (one: Simulation) => number): number => parts.reduce((total, one) => total + of(one), 0)
    expect(whole.requests).toBe(sum(({ requests }) => requests))
    expect(whole.policies[1]?.cost).toBeCloseTo(
      sum(({ policies }) => policies[1]?.cost ?? 0),
      6,
    )
    expect(whole.policies[1]?.relativeCost).toBeCloseTo(
      sum(({ policies }) => policies[1]?.cost ?? 0) / sum(({ baseCost }) => baseCost),
      10,
    )
  })

  test('uses the given prices and cache lifetime', () => {
    const run = (...options: string[]): Simulation =>
      JSON.parse(trimtab(['simulate', sampleFile, '--json', ...tried, ...options]).stdout) as Simulation
    expect(run('--prices', 'deepseek').prices.cacheRead).toBe(0.02)
    expect(run('--prices', 'deepseek').cacheSeconds).toBeNull()
    expect(run('--ttl', '7').cacheSeconds).toBe(7)
  })

  test('measures cache-aware as it is made for the stated prices and life of the cache, and says so', () => {
    const args = ['simulate', sampleFile, '--prices', 'claude-fable-5-2', '--policy', 'cache-aware']
    const prices = pricesOf('claude-fable-5-2')
    const { messages, format, system, times } = readTranscript(readFileSync(sampleFile, 'utf8'))
    const made = (cacheSeconds: number | null) => {
      const policy = cacheAware({ prices: { ...prices, cacheSeconds } })
      return simulate(
        messages,
        { 'cache-aware': policy },
        { format, system, times, prices, ttl: cacheSeconds ?? 0 },
      )
    }
    const run = (...options: string[]) =>
      (JSON.parse(trimtab([...args, '--json', ...options]).stdout) as Simulation).policies
    expect(run()).toEqual(made(prices.cacheSeconds).policies)
    expect(run('--ttl', '0')).toEqual(made(0).policies)
    expect(run()).not.toEqual(
      simulate(messages, { 'cache-aware': cacheAware() }, { format, system, times, prices }).policies,
    )
    expect(trimtab(args).stdout).toContain('cache-aware: made for these prices')
  })

  test('names that do not fit stay distinct', () => {
    const { stdout } = trimtab(['simulate', sampleFile, '--window', '20000'])
    const rows = stdout.split('\n').filter((line) => /^ {2}\S+ +\d\.\d\d /.test(line))
    const names = rows.map((line) => line.trim().split(' ')[0])
    expect(names.length).toBeGreaterThan(6)
    expect(new Set(names).size).toBe(names.length)
  })

  test('--svg writes the complete picture', () => {
    const svg = join(folder, 'picture.svg')
    expect(trimtab(['simulate', sampleFile, ...tried, '--svg', svg]).status).toBe(0)
    expect(readFileSync(svg, 'utf8')).toBe(simulationPicture(library(sampleFile)))
    expect(readdirSync(folder)).toEqual(['picture.svg'])
  })

  const empty = join(folder, 'question.json')
  test.each([
    [[], 'no file given'],
    [[sampleFile, '--window', '0'], '--window 0: must be a number of tokens over 0'],
    [[sampleFile, '--ttl', 'long'], '--ttl long: must be a number of seconds'],
    [[sampleFile, '--prices', 'free'], 'no such prices; there are anthropic'],
    [[sampleFile, '--policy', 'none'], 'neither a preset'],
    [[sampleFile, '--svg', folder], 'this is a directory'],
    [[empty], 'the session must contain answers of the model'],
    [[join(folder, 'none')], 'there is no such file'],
  ])('refuses arguments %j', (args, words) => {
    writeFileSync(empty, '[{"role":"user","content":"Hello?"}]')
    const { status, stdout, stderr } = trimtab(['simulate', ...args])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(words)
    expect(stderr.split('\n')).toHaveLength(2)
  })
})

describe('trimtab tune', () => {
  const library = (...files: string[]): Tuning => {
    const sessions = files.map((file) => readTranscript(readFileSync(file, 'utf8')))
    return tune(sessions, { prices: PRICES.anthropic })
  }

  test('prints the frontier, the policy and warnings in 80 columns', () => {
    const { status, stdout, stderr } = trimtab(['tune', sampleFile, '--window', '20000', '--keep', '80'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stdout).toMatch(/^ {2}> {2}\S/m)
    expect(stdout).toContain('keeps 80 %')
    expect(stdout).toContain('Warning: 1 of at least 5 sessions')
    const policy = JSON.parse(stdout.slice(stdout.indexOf('\n  {'))) as object
    expect(policy).toHaveProperty('window', 20_000)
  })

  test('--json and --svg equal the results of the library', () => {
    const files = [sampleFile, fixture('pi.jsonl').path]
    const svg = join(folder, 'tuning.svg')
    const { stdout } = trimtab(['tune', ...files, '--json', '--svg', svg])
    const tuning = library(...files)
    expect(JSON.parse(stdout)).toEqual({ files, ...tuning })
    expect(readFileSync(svg, 'utf8')).toBe(tuningPicture(tuning))
    rmSync(svg)
  })

  test.each([
    [[], 'no file given'],
    [[sampleFile, '--keep', '101'], '--keep 101: must be a number of percent, 0 or from 1 to 100'],
    [[sampleFile, '--keep', '0.95'], '--keep 0.95: must be a number of percent, 0 or from 1 to 100'],
    [[sampleFile, '--keep', ''], '--keep : must be a number of percent'],
    [[sampleFile, '--window', '0'], '--window 0: must be'],
    [[sampleFile, '--policy', 'off'], '--policy'],
  ])('refuses arguments %j', (args, words) => {
    const { status, stdout, stderr } = trimtab(['tune', ...args])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(words)
  })

  test('names a file that cannot be replayed', () => {
    const question = join(folder, 'a-question.json')
    writeFileSync(question, '[{"role":"user","content":"Hello?"}]')
    const { status, stderr } = trimtab(['tune', sampleFile, question])
    rmSync(question)
    expect(status).toBe(2)
    expect(stderr).toContain('a-question.json: the session must contain answers')
  })
})

describe('simulationPicture and combineSimulations', () => {
  const one = library(sampleFile)

  test('the picture has a point, a line and a name for each policy', () => {
    const svg = simulationPicture(one)
    expect(svg.match(/<circle /g)).toHaveLength(2)
    const lines = [...svg.matchAll(/<polyline points="([^"]*)"/g)].map((match) => String(match[1]).split(' '))
    expect(lines.map((places) => places.length)).toEqual([one.requests, one.requests])
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('names from files are escaped in the picture', () => {
    const [policy] = one.policies
    const hostile = {
      ...one,
      policies: [{ ...(policy as Simulation['policies'][0]), name: '<script>&"\u0000' }],
    }
    const svg = simulationPicture(hostile)
    expect(svg).toContain('&#60;script&#62;&#38;&#34;\ufffd')
  })

  test('axes have round labels', () => {
    const [policy] = one.policies as [Simulation['policies'][number]]
    const drawn = {
      ...policy,
      relativeCost: 1,
      peakTokens: 453_000,
      contextTokens: Array<number>(453).fill(9),
    }
    const svg = simulationPicture({ ...one, policies: [drawn] })
    const labels = [...svg.matchAll(/<text [^>]*text-anchor[^>]*>([\d.]+)</g)].map((match) => match[1])
    expect(labels.join(' ')).toBe('90 92 94 96 98 100 0 0.5 1 0 100 200 300 400 0 100 200 300 400')
  })

  test('simulations of different policies are not combined', () => {
    const other = { ...one, policies: one.policies.slice(1) }
    expect(() => combineSimulations([one, other])).toThrow('their policies differ')
    expect(() => combineSimulations([])).toThrow('one or more')
  })
})
