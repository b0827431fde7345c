import fc from 'fast-check'
import {
  type Calibration,
  calibrate,
  calibratedTokens,
  calibrateSession,
  estimateMessages,
  estimateTokens,
  type ReportedGrowth,
  reportedTokens,
  TokenMeter,
  UNCALIBRATED,
} from 'trimtab/tokens'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { conversation, format } from './conversation.js'
import { runs } from './random.js'
import { hasRecordedSession, recordedText } from './recorded-session.js'
import { write } from './write.js'

describe('estimateTokens', () => {
  test.each([
    ['prose', 'The quick brown fox jumps over the lazy dog. '.repeat(20), 4, 5],
    ['code', 'const total = items.reduce((sum, item) => sum + item.price, 0)\n'.repeat(20), 2.5, 4],
    ['paths', '/home/user/project/src/components/button.tsx\n'.repeat(20), 3, 5],
    ['digits', '3.14159265358979 '.repeat(20), 0.8, 2],
    [
      'base64',
      btoa(Array.from({ length: 600 }, (_, i) => String.fromCharCode((i * i * 31) % 256)).join('')),
      1.3,
      3,
    ],
    ['CJK', '人工知能は便利です。'.repeat(20), 0.7, 1.5],
    ['blanks', `${' '.repeat(40)}x\n`.repeat(20), 8, 30],
  ])('estimates a plausible number of characters per token: %s', (_, text, least, most) => {
    const ratio = text.length / estimateTokens(text)
    expect(ratio).toBeGreaterThan(least)
    expect(ratio).toBeLessThan(most)
  })

  test('gives pieces of a large text estimates that add up', () => {
    const line = 'a line of a log, 17 of 99\n'
    const text = line.repeat(100_000)
    const each = estimateTokens(line.repeat(1000)) * 100
    expect(Math.abs(estimateTokens(text) - each)).toBeLessThan(each / 1000)
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('\ud800')).toBeGreaterThan(0)
  })
})

describe('estimateMessages', () => {
  test('estimates results in every format', () => {
    fc.assert(
      fc.property(conversation, format, (turns, used) => {
        const messages = write(turns, used)
        const estimates = estimateMessages(messages, { format: used })
        expect(estimates).toHaveLength(messages.length)
        const results = turns.flatMap(({ calls, prompt }) =>
          prompt ? [] : calls.map(({ result }) => result),
        )
        const sum = estimates.reduce((total, one) => total + one.results, 0)
        // In JSON, line ends are two characters.
        const texts = results.reduce((total, text) => total + estimateTokens(text), 0)
        expect(sum).toBeGreaterThanOrEqual(0.8 * texts)
      }),
      { numRuns: runs.numRuns / 5 },
    )
  })
})

describe('calibrate', () => {
  const ratio = fc.double({ min: 0.6, max: 1.8, noNaN: true })
  const tokens = fc.integer({ min: 50, max: 5000 })

  test('learns the ratios that produced the reports', () => {
    const estimated = fc.record({ answers: tokens, results: tokens, prompts: tokens })
    fc.assert(
      fc.property(
        fc.tuple(ratio, ratio, ratio),
        fc.array(estimated, { minLength: 80, maxLength: 80 }),
        (true_, list) => {
          let known = UNCALIBRATED
          for (const one of list) {
            const reported = one.answers * true_[0] + one.results * true_[1] + one.prompts * true_[2]
            known = calibrate(known, { estimated: one, reported })
          }
          const probe = { answers: 1000, results: 3000, prompts: 500 }
          const right = 1000 * true_[0] + 3000 * true_[1] + 500 * true_[2]
          expect(Math.abs(calibratedTokens(known, probe) / right - 1)).toBeLessThan(0.06)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('is little affected by one impossible report', () => {
    const estimated = { answers: 0, results: 1000, prompts: 0 }
    let known: Calibration = UNCALIBRATED
    for (let i = 0; i < 20; i++) known = calibrate(known, { estimated, reported: 1200 })
    const before = calibratedTokens(known, estimated)
    const after = calibratedTokens(calibrate(known, { estimated, reported: -50_000 }), estimated)
    expect(before).toBeCloseTo(1200, -1.5)
    expect(Math.abs(after / before - 1)).toBeLessThan(0.15)
  })

  test('returns plain JSON and leaves its argument unchanged', () => {
    const frozen = JSON.stringify(UNCALIBRATED)
    const known = calibrate(UNCALIBRATED, { estimated: { answers: 1, results: 2, prompts: 3 }, reported: 7 })
    expect(JSON.stringify(UNCALIBRATED)).toBe(frozen)
    expect(JSON.parse(JSON.stringify(known))).toEqual(known)
    expect(known.reports).toBe(1)
  })

  test.each([
    [
      'no calibration',
      () => calibratedTokens({} as never, { answers: 1, results: 1, prompts: 1 }),
      'calibration',
    ],
    [
      'a newer one',
      () =>
        calibratedTokens({ ...UNCALIBRATED, version: 2 } as never, { answers: 1, results: 1, prompts: 1 }),
      'calibration',
    ],
    [
      'no figure',
      () =>
        calibrate(UNCALIBRATED, { estimated: { answers: 1, results: 1, prompts: 1 }, reported: Number.NaN }),
      'report',
    ],
  ])('refuses invalid input: %s', (_, work, argument) => {
    expect(work).toThrow(expect.objectContaining({ name: 'TrimtabError', code: 'invalid_option', argument }))
  })
})

describe('TokenMeter', () => {
  const prompt = { role: 'user', content: 'Go on, please, and look at all of it.' }
  const answer = { role: 'assistant', content: 'I have looked at it, and go on.' }
  const estimate = (...messages: object[]) =>
    estimateMessages(messages, { format: 'openai-chat' }).reduce(
      (sum, one) => sum + one.answers + one.results + one.prompts,
      0,
    )

  test('returns the reported tokens, and estimates messages added since', () => {
    const meter = new TokenMeter({ format: 'openai-chat' })
    expect(meter.tokens([prompt])).toBeCloseTo(estimate(prompt), 9)
    meter.report([prompt], { input: 5000, output: 70 })
    expect(meter.tokens([prompt])).toBe(5000)
    expect(meter.tokens([prompt, answer])).toBe(5070)
    expect(meter.tokens([prompt, answer, prompt])).toBeCloseTo(5070 + estimate(prompt), 9)
    // Content that is no longer sent is subtracted by its estimate.
    meter.report([prompt, answer, prompt], { input: 5090, output: 70 })
    expect(meter.tokens([prompt])).toBeLessThan(5090)
    expect(meter.tokens([prompt])).toBeGreaterThan(5000 - 70)
  })

  test('learns only from views that extend the previous one', () => {
    const meter = new TokenMeter({ format: 'openai-chat' })
    meter.report([prompt], { input: 100, output: 70 })
    meter.report([answer], { input: 9000, output: 70 })
    expect(meter.calibration).toEqual(UNCALIBRATED)
    meter.report([answer, answer, prompt], { input: 9100, output: 70 })
    expect(meter.calibration.reports).toBe(2)
    expect(meter.calibration.ratios[2]).toBeGreaterThan(1)
    expect(
      new TokenMeter({ format: 'openai-chat', calibration: meter.calibration }).tokens([prompt]),
    ).toBeGreaterThan(estimate(prompt))
  })
})

describe('reportedTokens', () => {
  const prompt = { role: 'user', content: 'Go on, please, and look at all of it.' }
  const answer = { role: 'assistant', content: 'I have looked at it, and go on.' }
  const messages = [prompt, answer, prompt, answer, prompt, answer]
  const usage = (...inputs: number[]) =>
    messages.map((_, at) =>
      at % 2 === 0 ? null : { input: inputs[at >> 1] as number, cached: 0, output: 8 },
    )

  test('compares the reported growth between requests with its estimate', () => {
    const found = reportedTokens({ messages, usage: usage(1000, 1024, 1048), format: 'openai-chat' })
    expect(found).toMatchObject({ requests: 2, lastRequest: 1048, reported: 48 })
    expect(found?.estimated.tokens).toBeGreaterThan(20)
  })

  test('ignores a request smaller than the one before', () => {
    const found = reportedTokens({ messages, usage: usage(1000, 1024, 90), format: 'openai-chat' })
    expect(found).toMatchObject({ requests: 1, lastRequest: 90, reported: 24 })
  })

  test('estimates an answer whose tokens are not reported, and learns nothing of answers from it', () => {
    const known = usage(1000, 1024, 1048)
    const unknown = known.map((one) => one && { ...one, output: 0 })
    const learned = calibrateSession(messages, unknown, { format: 'openai-chat' })
    const meter = new TokenMeter({ format: 'openai-chat' })
    for (const [at, one] of unknown.entries()) if (one !== null) meter.report(messages.slice(0, at), one)
    expect(learned.growth[0]?.calibrated).toBe(learned.growth[0]?.estimated)
    expect(learned.calibration).toEqual(meter.calibration)
    expect(learned.calibration.reports).toBe(2)
  })

  test('returns undefined if no growth was reported', () => {
    expect(reportedTokens({ messages, format: 'openai-chat' })).toBeUndefined()
    expect(reportedTokens({ messages, usage: usage(1000, 800, 600), format: 'openai-chat' })).toBeUndefined()
  })
})

describe.skipIf(!hasRecordedSession)('a real session (skipped where ../shared/data is not there)', () => {
  test('estimates are close to the reported growth, and calibrated estimates closer', () => {
    const { messages, usage, format: used } = readTranscript(recordedText())
    const { growth } = calibrateSession(messages, usage ?? [], { format: used })
    const figures = (of: (one: ReportedGrowth) => number) => {
      const errors = growth.map((one) => Math.abs(of(one) - one.reported))
      const share = sum(errors) / sum(growth.map(({ reported }) => reported))
      const each = errors.map((error, i) => error / Math.abs(growth[i]?.reported || 1)).sort((a, b) => a - b)
      return { share, median: each[each.length >> 1] as number }
    }
    const estimated = figures((one) => one.estimated)
    const calibrated = figures((one) => one.calibrated)
    expect(estimated.share).toBeLessThan(0.16)
    expect(calibrated.share).toBeLessThan(0.06)
    expect(calibrated.median).toBeLessThan(0.035)
  })

  test('TokenMeter expects the same growth as calibrateSession for each request', () => {
    const { messages, usage = [], format: used } = readTranscript(recordedText())
    const { growth, calibration } = calibrateSession(messages, usage, { format: used })
    const meter = new TokenMeter({ format: used })
    let before = 0
    const expected = growth.values()
    usage.forEach((now, at) => {
      if (now === null) return
      const view = messages.slice(0, at)
      if (before > 0)
        expect(meter.tokens(view) - before).toBeCloseTo(expected.next().value?.calibrated ?? 0, 4)
      meter.report(view, now)
      before = now.input
    })
    expect(meter.calibration.reports).toBe(calibration.reports)
  })
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
