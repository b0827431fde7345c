import { clearOldToolUses, off, type Policy, rollingContext } from 'trimtab'
import {
  combineSimulations,
  evidenceShare,
  type SessionToTune,
  type Simulation,
  simulate,
  type Tuning,
  tune,
  tuneCandidates,
  tuningPicture,
} from 'trimtab/money'
import { describe, expect, test } from 'vitest'

const WINDOW = 60_000

/** A session in which each file is read, and some are edited soon or long afterwards. */
function session(seed: number, files: number): SessionToTune {
  const call = (id: string, name: string, input: object) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
  })
  const messages: object[] = [{ role: 'user', content: 'Mend all of it.' }]
  const edit = (id: string, file: number) =>
    messages.push(
      call(id, 'edit_file', { path: `f${file}.ts`, old_string: `line 3 of ${file}`, new_string: 'x' }),
      { role: 'tool', tool_call_id: id, content: 'ok' },
    )
  for (let file = 0; file < files; file++) {
    const text = Array.from({ length: 60 + ((file * seed) % 50) }, (_, line) => `line ${line} of ${file}`)
    messages.push(call(`r${file}`, 'read_file', { path: `f${file}.ts` }), {
      role: 'tool',
      tool_call_id: `r${file}`,
      content: text.join('\n'),
    })
    if (file % 2 === 0) edit(`e${file}`, file)
    if (file > 9 && (file + seed) % 7 === 0) edit(`late${file}`, file - 9)
  }
  messages.push({ role: 'assistant', content: 'Done.' })
  return { messages }
}

const sessions = [1, 2, 3, 4].map((seed) => session(seed, 60 + 10 * seed))
const simulated = (list: readonly SessionToTune[], policies: Record<string, Policy>): Simulation =>
  combineSimulations(list.map(({ messages }) => simulate(messages, policies, { window: WINDOW })))

/** The documented rule, implemented again by sorting, while the package compares. */
function chosen({ policies }: Simulation, keep: number) {
  const within = policies.filter(({ overWindow }) => overWindow === 0)
  const enough = within.filter(({ evidence }) => evidenceShare(evidence) >= keep)
  const cost = [...enough].sort((a, b) => a.relativeCost - b.relativeCost)[0]?.relativeCost ?? 0
  const equal = enough.filter((one) => one.relativeCost <= cost + 0.01)
  return equal.sort((a, b) => evidenceShare(b.evidence) - evidenceShare(a.evidence))[0]
}

describe('tune', () => {
  const candidates = tuneCandidates({ window: WINDOW })
  const tuning = tune(sessions, { window: WINDOW, keep: 0.9 })

  test('recommends by the documented rule, from the results of simulate', () => {
    const whole = simulated(sessions, candidates)
    const expected = chosen(whole, 0.9)
    expect(tuning.recommended).toMatchObject({
      name: expected?.name,
      relativeCost: expected?.relativeCost,
      evidence: expected?.evidence,
      overWindow: 0,
    })
    expect(tuning.recommended.policy).toEqual(candidates[expected?.name ?? ''])
    expect(tuning.recommended.relativeCost).toBeLessThan(0.9)
    expect(tuning).toMatchObject({ sessions: 4, requests: whole.requests, window: WINDOW, keep: 0.9 })
    expect(tuning.candidates).toHaveLength(Object.keys(candidates).length)
    const costs = tuning.candidates.map(({ relativeCost }) => relativeCost)
    expect(costs).toEqual([...costs].sort((a, b) => a - b))
  })

  test('recommends a costlier policy if more evidence must be kept', () => {
    const all = tune(sessions, { window: WINDOW, keep: 1 })
    expect(all.recommended.evidenceShare).toBe(1)
    expect(all.recommended.relativeCost).toBeGreaterThanOrEqual(tuning.recommended.relativeCost)
    expect(tune(sessions, { window: WINDOW, keep: 0 }).recommended.relativeCost).toBeLessThanOrEqual(
      (tuning.candidates[0]?.relativeCost ?? 0) + 0.01,
    )
  })

  test('puts exactly the candidates that no other one beats on the frontier', () => {
    const frontier = tuning.candidates.filter(({ isOnFrontier }) => isOnFrontier)
    // From cheap to expensive, each keeps more than all before it.
    const shares = frontier.map(({ evidenceShare: share }) => share)
    expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b))
    for (const one of tuning.candidates) {
      const isReached = frontier.some(
        (other) => other.relativeCost <= one.relativeCost && other.evidenceShare >= one.evidenceShare,
      )
      expect(isReached).toBe(true)
    }
  })

  test('leaves each session out once, and tests on it what the others choose', () => {
    let cost = 0
    let base = 0
    let same = 0
    for (const left of sessions) {
      const name =
        chosen(
          simulated(
            sessions.filter((one) => one !== left),
            candidates,
          ),
          0.9,
        )?.name ?? ''
      const own = simulated([left], candidates)
      cost += own.policies.find((one) => one.name === name)?.cost ?? 0
      base += own.baseCost
      same += Number(name === tuning.recommended.name)
    }
    expect(tuning.leftOut?.relativeCost).toBeCloseTo(cost / base, 10)
    expect(tuning.leftOut?.same).toBe(same)
    expect(tune(sessions.slice(0, 1), { window: WINDOW }).leftOut).toBeNull()
  })

  test('does not recommend a policy that exceeds the window', () => {
    const policies = {
      off: off(),
      late: clearOldToolUses({ trigger: { type: 'input_tokens', value: 8000 } }),
    }
    const { recommended, candidates: tried } = tune(sessions, {
      window: 20_000,
      keep: 0,
      candidates: policies,
    })
    expect(recommended.name).toBe('late')
    expect(tried.find(({ name }) => name === 'off')?.overWindow).toBeGreaterThan(0)
    const none = tune(sessions, { window: 2000, keep: 0, candidates: { off: off() } })
    expect(none.warnings).toContain('no candidate stays within the window')
  })

  test('warns of few sessions, of little evidence, and if no candidate keeps enough', () => {
    const warned = (list: readonly SessionToTune[], more = {}) =>
      tune(list, { window: 200_000, candidates: { off: off() }, ...more }).warnings.join('; ')
    expect(warned(sessions)).toMatch(/^4 of at least 5 sessions.*once in 16$/)
    expect(warned(sessions.slice(0, 1))).toMatch(/once in 2; \d+ places of evidence: with fewer than 200/)
    const many = Array.from({ length: 6 }, (_, seed) => session(seed + 1, 120))
    expect(warned(many)).toBe('')
    const lossy = { candidates: { rolling: rollingContext({ maxToolOutputAge: 0 }) }, keep: 1 }
    expect(warned(many, lossy)).toContain('keeps 100 %: this one keeps most')
  })

  test('reports its progress for each session', () => {
    const seen: [number, number][] = []
    tune(sessions, { candidates: { off: off() }, onProgress: (done, at) => seen.push([done, at]) })
    expect([...new Set(seen.map(([, at]) => at))]).toEqual([0, 1, 2, 3])
    const done = seen.map(([part]) => part)
    expect(done).toEqual([...done].sort((a, b) => a - b))
    expect([done[0], done.at(-1)]).toEqual([0, 1])
  })

  test('tuningPicture shows every candidate, and escapes names', () => {
    const picture = tuningPicture(tuning)
    expect(picture.match(/<circle/g)?.length).toBeGreaterThan(tuning.candidates.length)
    const named = tune(sessions, { candidates: { '<b>&"': off() } }) as Tuning
    expect(tuningPicture(named)).toContain('&#60;b&#62;&#38;&#34;')
    expect(tuningPicture(named)).not.toContain('<b>')
  })

  test.each([
    ['no session', () => tune([]), 'sessions', 'invalid_option'],
    ['no list', () => tune({} as never), 'sessions', 'invalid_option'],
    ['a share over 1', () => tune(sessions, { keep: 95 }), 'keep', 'invalid_option'],
    ['no window', () => tune(sessions, { window: 0 }), 'window', 'invalid_option'],
    ['no candidate', () => tune(sessions, { candidates: {} }), 'policies', 'invalid_policy'],
    [
      'negative prices',
      () => tune(sessions, { prices: { ...PRICES_BELOW } }),
      'prices.input',
      'invalid_option',
    ],
    ['an empty session', () => tune([{ messages: [] }]), 'messages', 'invalid_messages'],
  ])('refuses invalid input: %s', (_, work, argument, code) => {
    expect(work).toThrow(expect.objectContaining({ name: 'TrimtabError', code, argument }))
  })
})

const PRICES_BELOW = { input: -1, cacheRead: 0, cacheWrite: 1, output: 1, cacheSeconds: null }
