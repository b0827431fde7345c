import { called, check, checkOptions, countFrom } from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { type CachePrices, type Character, cacheAware } from '../policy/cache-aware.js'
import { clearOldToolUses, off, rollingContext, smartRetention } from '../policy/presets.js'

/** When old tool uses are cleared: fractions of the window. */
const TRIGGERS = [0.25, 0.4, 0.5, 0.75]
/** Number of tool uses to keep. */
const KEPT = [3, 10, 20]
/** Minimum saving of a batch, as fractions of the window: 2,500 to 40,000 tokens of 200,000. */
const BATCHES = [0.0125, 0.025, 0.05, 0.1, 0.2]
const AGES = [5, 10]
const CHARACTERS: Character[] = ['careful', 'balanced', 'thrifty']

const percent = (fraction: number): string => `${Number((100 * fraction).toPrecision(3))} %`

/** Options of {@link tuneCandidates}. */
export interface CandidateOptions {
  /** The context window, in tokens. */
  window: number
  /** The prices for `cacheAware`. Default: its own. */
  prices?: CachePrices | undefined
}

/**
 * Returns the candidates of {@link tune}: the presets, each with the settings that affect its cost.
 *
 * `clear 40 %, keep 10`: clears all but the newest 10 at 40 % of the window. `rolling 5, 2.5 %`: age 5, in
 * batches of 2.5 % of the window. `smart, 2.5 %`: smart retention in batches of that size.
 * `cacheAware balanced`: that preset with that character.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function tuneCandidates(options: CandidateOptions): Record<string, Policy> {
  options = checkOptions(options, { window: null, prices: null }, 'tuneCandidates')
  const { window, prices } = options
  check('window', window, called(countFrom(1), 'a whole number of tokens over 0'))
  return Object.fromEntries<Policy>([
    ['off', { ...off(), window }],
    ...pairs(TRIGGERS, KEPT).map(([at, keep]): [string, Policy] => [
      `clear ${percent(at)}, keep ${keep}`,
      {
        ...clearOldToolUses({
          trigger: { type: 'window_fraction', value: at },
          keep: { type: 'tool_uses', value: keep },
        }),
        window,
      },
    ]),
    ...pairs(AGES, BATCHES).map(([age, batch]): [string, Policy] => [
      `rolling ${age}, ${percent(batch)}`,
      { ...rollingContext({ maxToolOutputAge: age }), clearAtLeast: Math.round(batch * window), window },
    ]),
    ...BATCHES.map((batch): [string, Policy] => [
      `smart, ${percent(batch)}`,
      { ...smartRetention({ clearAtLeast: Math.round(batch * window) }), window },
    ]),
    ...CHARACTERS.map((character): [string, Policy] => [
      `cacheAware ${character}`,
      cacheAware({ character, window, ...(prices === undefined ? {} : { prices }) }),
    ]),
  ])
}

function pairs<A, B>(some: readonly A[], others: readonly B[]): [A, B][] {
  return some.flatMap((one) => others.map((other): [A, B] => [one, other]))
}
