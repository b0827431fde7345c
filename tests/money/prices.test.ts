import { readFileSync } from 'node:fs'
import { type Character, cacheAware, type Policy } from 'trimtab'
import {
  PRICES,
  type Prices,
  pricedModels,
  pricesOf,
  priceWarning,
  requestCost,
  simulate,
} from 'trimtab/money'
import { describe, expect, test } from 'vitest'
import { longSession } from './long-session.js'

describe('pricesOf', () => {
  test.each([
    ['claude-opus-5-5', 0.05, 1.25, 1_000_000],
    ['anthropic/claude-opus-5.5', 0.05, 1.25, 1_000_000],
    ['us.anthropic.claude-sonnet-5-5-v1:0', 0.05, 1.25, 1_000_000],
    ['claude-fable-5-2', 0.025, 1.25, 1_000_000],
    ['claude-opus-5', 0.1, 1.25, 1_000_000],
    ['claude-opus-4-5-20251101', 0.1, 1.25, 200_000],
    ['claude-opus-4-1', 0.1, 1.25, null],
    ['claude-opus-4-1-20250805', 0.1, 1.25, null],
    ['claude-sonnet-4-0', 0.1, 1.25, null],
    ['claude-sonnet-4-20250514', 0.1, 1.25, null],
    ['claude-sonnet-4@20250514', 0.1, 1.25, null],
    ['claude-opus-4-5-thinking', 0.1, 1.25, 200_000],
    ['claude-haiku-4-5-latest', 0.1, 1.25, 200_000],
    ['claude-opus-4-8-preview', 0.1, 1.25, 1_000_000],
    ['claude-opus-4-20250514-thinking', 0.1, 1.25, null],
    ['gpt-5', 0.1, 1, 400_000],
    ['gpt-5.4-codex', 0.1, 1, 272_000],
    ['gpt-5.1-codex-max', 0.1, 1, 400_000],
    ['gpt-5-codex-mini', 0.1, 1, 400_000],
    ['gpt-5.4-2026-03-05', 0.1, 1, 272_000],
    ['gpt-5.4-mini-2026-03-05', 0.1, 1, 400_000],
    ['gpt-5.6-20261001', 0.1, 1.25, 272_000],
    ['openai/gpt-6.1', 0.05, 1.25, 272_000],
    ['gemini-2.5-pro', 0.1, 1, 1_000_000],
    ['deepseek-v4-pro', 0.033, 1, 1_000_000],
    ['grok-4.7', 0.25, 1, 500_000],
  ])('knows the prices of %s', (model, cacheRead, cacheWrite, window) => {
    expect(pricesOf(model)).toMatchObject({ input: 1, cacheRead, cacheWrite, window, isThirdParty: true })
  })

  const long = [{ above: 272_000, input: 2, output: 1.5 }]
  test.each([
    ['gpt-5.2', 8, undefined, []],
    ['gpt-5.4', 6, long, []],
    ['gpt-5.5', 6, long, []],
    ['gpt-5.4-mini', 6, undefined, []],
    ['gpt-5.4-nano', 6.25, undefined, []],
    ['gpt-5.2-pro', 8, undefined, ['cacheRead']],
    ['gpt-5.4-pro', 6, long, ['cacheRead']],
    ['gpt-5.5-pro', 6, long, ['cacheRead']],
    ['gpt-5.6-terra', 6, long, ['cacheSeconds']],
    ['gpt-5.6-sol', 5, long, ['cacheSeconds']],
    ['gpt-5.6-cyber', 6, undefined, ['cacheSeconds']],
    ['gpt-6', 5, long, ['output', 'cacheSeconds']],
    ['gpt-6.1-sol', 5, long, ['cacheSeconds']],
    ['gemini-2.5-pro', 8, [{ above: 200_000, input: 2, output: 1.5 }], []],
    ['gemini-3.1-pro-preview', 6, [{ above: 200_000, input: 2, output: 1.5 }], []],
    ['gemini-4-argon', 5, undefined, []],
    ['deepseek-v4-pro', 3, undefined, []],
    ['grok-4.3', 2, [{ above: 200_000, input: 2, output: 2 }], []],
    ['grok-4.7', 3, [{ above: 200_000, input: 2, output: 2 }], []],
  ])('has the answers and tiers of %s as in its source', (model, output, tiers, assumed) => {
    const prices = pricesOf(model)
    expect({ output: prices.output, tiers: prices.tiers, assumed: prices.assumed }).toEqual({
      output,
      tiers,
      assumed,
    })
    // Where the source has no price of a read, it is not taken to be cheap.
    if (prices.assumed.includes('cacheRead')) expect(prices.cacheRead).toBe(1)
    else expect(prices.cacheRead).toBeLessThanOrEqual(0.25)
  })

  test('gives a source, a month and usable prices for every model', () => {
    for (const id of pricedModels) {
      const prices = pricesOf(id.replace('*', ''))
      // As they are in a choice.
      expect(pricesOf(id)).toEqual(prices)
      expect(prices.models).toContain(id)
      expect(prices.source).toMatch(/^https:/)
      expect(prices.noted).toMatch(/^20\d\d-\d\d$/)
      expect(requestCost({ cached: 10, written: 5 }, prices)).toBeGreaterThan(0)
    }
  })

  test('no name is one of a model and of a family', () => {
    const names = pricedModels.map((id) => id.replace('*', ''))
    expect(new Set(names).size).toBe(names.length)
  })

  test('has a price of a one-hour cache only if the provider has one', () => {
    expect(pricesOf('claude-opus-5-5', { cache: '1h' })).toMatchObject({ cacheWrite: 2, cacheSeconds: 3600 })
    expect(pricesOf('claude-opus-5-5')).toMatchObject({ cacheWrite: 1.25, cacheSeconds: 300 })
    expect(() => pricesOf('gpt-5', { cache: '1h' })).toThrow(
      'no price of a one-hour cache is known for gpt-5',
    )
    expect(() => pricesOf('gpt-5', { cache: '2h' as never })).toThrow('cache must be one of 5m, 1h')
  })

  test.each([
    // The price of an older version is not used for a newer one.
    ['claude-opus-5-6', 'claude-opus-5-5'],
    ['claude-opus-55', 'claude-opus-5-5'],
    ['claude-opus-4-9', 'claude-opus-4-8'],
    ['claude-opus-4.9-20261001', 'claude-opus-4-8'],
    ['claude-opus-4-10', 'claude-opus-4-1'],
    ['claude-opus-40', 'claude-opus-4-0'],
    ['gpt-5.55', 'gpt-5-5'],
    ['gpt-5.5xyz', 'gpt-5-5'],
    ['gpt-5.10', 'gpt-5-1'],
    ['gpt-6.12', 'gpt-6-1'],
    ['gpt-5.4.1-codex', 'gpt-5-codex'],
    ['gpt5', 'gpt-5'],
    ['grok-4-8', 'grok-4-7'],
    ['gpt-7', 'gpt-6'],
  ])('refuses the unknown model %s and names a similar one', (model, near) => {
    expect(() => pricesOf(model)).toThrow(
      expect.objectContaining({
        name: 'TrimtabError',
        code: 'invalid_option',
        argument: 'model',
        message: expect.stringContaining(`there are no prices of \`${model}\`; the nearest is \`${near}\``),
      }),
    )
  })

  test('explains how to give prices for an unrecognised model', () => {
    expect(() => pricesOf('my own')).toThrow('Give them: prices: { input: 1, cacheRead: 0.1,')
    expect(() => pricesOf(7 as never)).toThrow('model must be')
  })
})

describe('price tiers', () => {
  const prices: Prices = {
    ...PRICES.anthropic,
    tiers: [
      { above: 100, input: 2, output: 1.5 },
      { above: 1000, input: 4, output: 3 },
    ],
  }

  test('apply the highest tier that the whole input of a request exceeds', () => {
    const cost = (cached: number, written: number) => requestCost({ cached, written, output: 1 }, prices)
    expect(cost(50, 50)).toBeCloseTo(50 * 0.1 + 50 * 1.25 + 5, 10)
    expect(cost(51, 50)).toBeCloseTo(2 * (51 * 0.1 + 50 * 1.25) + 7.5, 10)
    expect(cost(1000, 1)).toBeCloseTo(4 * (1000 * 0.1 + 1.25) + 15, 10)
  })

  test('count in a replay, but not in its bound', () => {
    const session = longSession(60)
    const plain = simulate(session, { a: {} }, { prices: PRICES.anthropic })
    const tiered = simulate(session, { a: {} }, { prices })
    expect(tiered.baseCost).toBeGreaterThan(2 * plain.baseCost)
    expect(tiered.bounds?.all).toMatchObject({ cost: plain.bounds?.all.cost, isReached: false })
  })

  test.each<[object, string]>([
    [{ tiers: 1 }, 'prices.tiers must be an array'],
    [{ tiers: [1] }, 'prices.tiers[0] must be an object such as'],
    [{ tiers: [{ above: -1, input: 1, output: 1 }] }, 'prices.tiers[0].above must be a number from 0 on'],
  ])('%j is refused', (wrong, words) => {
    expect(() => requestCost({ cached: 1, written: 1 }, { ...PRICES.anthropic, ...wrong } as never)).toThrow(
      words,
    )
  })
})

describe('priceWarning', () => {
  const at = (month: string) => Date.parse(`${month}-15T00:00:00Z`)

  test('warns about prices after seven months, not after six', () => {
    expect(priceWarning(PRICES.anthropic, at('2026-11'))).toBeUndefined()
    expect(priceWarning(PRICES.anthropic, at('2027-05'))).toBeUndefined()
    expect(priceWarning(pricesOf('gpt-5'), at('2027-06'))).toMatch(
      /noted 7 months ago \(2026-11\): check them at https:/,
    )
    expect(
      priceWarning({ input: 1, cacheRead: 0, cacheWrite: 1, output: 1, cacheSeconds: null }, at('2030-01')),
    ).toBeUndefined()
  })
})

describe('what the documents say of `missing`', () => {
  const document = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
  const missing = (character: Character, prices?: Prices) =>
    (cacheAware({ character, ...(prices && { prices }) }).retire as { missing: number }).missing
  const hourly = (id: string) => id.startsWith('claude-')
  const priced = pricedModels.flatMap((family) => {
    const id = family.replace('*', '')
    return [pricesOf(id), ...(hourly(id) ? [pricesOf(id, { cache: '1h' })] : [])]
  })

  test.each<Character>(['thrifty', 'balanced', 'careful'])('%s: the range over all models', (character) => {
    const all = priced.map((prices) => missing(character, prices))
    const range = `${Math.min(...all)} to ${Math.max(...all)}`
    expect(document('guides/policies.md')).toMatch(
      new RegExp(`^\\| \`${character}\` +\\| ${range} +\\|`, 'm'),
    )
    const [, reference = ''] = document('reference/api/trimtab.md').split('interface CacheAwareSettings')
    const words = reference.slice(0, reference.indexOf('character?:')).replace(/[\s*]+/g, ' ')
    expect(words).toMatch(new RegExp(`${range} for \`${character}\``))
  })

  test('the figures by read price', () => {
    const at = (cacheRead: number) => missing('thrifty', { ...PRICES.anthropic, cacheRead })
    const words = document('explain/caching-and-cost.md').replace(/\s+/g, ' ')
    const usual = (['thrifty', 'balanced', 'careful'] as const).map((character) => missing(character))
    expect(words).toContain(
      `${usual[0]}, ${usual[1]} and ${usual[2]} for \`thrifty\`, \`balanced\` and \`careful\``,
    )
    expect(words).toContain(
      `with writes at 1.25, \`thrifty\` uses ${at(0.05)} at a read price of 0.05, and ${at(0.025)} at 0.025.`,
    )
  })
})

describe('cacheAware with a model', () => {
  const retire = (policy: Policy) => policy.retire as { rewriteCost: number; cacheSeconds: number | null }

  test('uses the model’s prices and window', () => {
    const policy = cacheAware({ model: 'claude-opus-5-5' })
    expect(retire(policy)).toMatchObject({ rewriteCost: 24, cacheSeconds: 300 })
    expect(policy).toMatchObject({ window: 1_000_000, budget: { maxTokens: 900_000 } })
    expect(cacheAware({ model: 'claude-opus-4-5' })).toEqual({ ...cacheAware(), binding: 'required' })
  })

  test("sets binding: 'bound' for a model whose reasoning is bound to the prompt", () => {
    const { binding, retire } = cacheAware({ model: 'claude-opus-5-5' })
    expect(binding).toBe('bound')
    expect(retire).toMatchObject({ rewriteCost: 24 })
  })

  test('prefers given options and keeps the budget below a price tier', () => {
    expect(cacheAware({ model: 'claude-opus-4-5', window: 200_000, prices: PRICES.anthropic })).toEqual({
      ...cacheAware(),
      binding: 'required',
    })
    expect(cacheAware({ model: 'gpt-5.5' }).budget).toEqual({ maxTokens: 244_800 })
    expect(() => cacheAware({ model: 'claude-opus-6' })).toThrow('there are no prices of `claude-opus-6`')
  })
})

test('simulate uses the prices of a given model', () => {
  const { prices } = simulate(longSession(3), { a: {} }, { model: 'claude-fable-5-1' })
  expect(prices).toMatchObject({ cacheRead: 0.025 })
})
