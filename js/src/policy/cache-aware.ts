import {
  AMOUNT,
  called,
  check,
  checkOptions,
  countFrom,
  dataKind,
  NAMED,
  OBJECT,
  oneOf,
  SWITCH,
} from '../base/check.js'
import type { Policy } from '../generated/types.js'
import { pricesOf } from '../prices/model-prices.js'
import type { PriceTier } from '../prices/prices.js'
import { bindingOf } from './model-binding.js'

/** How costly it is to miss a result. */
export type Character = keyof typeof CHARACTERS

/** A provider's prices per token; only ratios matter. Every entry of `PRICES` of `trimtab/money` fits. */
export interface CachePrices {
  /** A token of a prefix that is read from the cache. */
  cacheRead: number
  /** A token that is sent and written to the cache. */
  cacheWrite: number
  /** How long a prefix stays in the cache after its last use, in seconds; `null` if unknown. */
  cacheSeconds?: number | null | undefined
  /** Sizes above which a request costs more: the view stays below nine tenths of the lowest. */
  tiers?: readonly Pick<PriceTier, 'above'>[] | undefined
}

/** Settings of {@link cacheAware}. */
export interface CacheAwareSettings {
  /**
   * How costly it is to miss a result, as a number of requests that carry it: 190 to 225 for `careful`, which keeps
   * reads of files in use very long; 153 to 172 for `balanced`, the default; 75 to 124 for `thrifty`. It depends on
   * the prices: mostly fewer if a rewrite of the cache is expensive compared with a read.
   */
  character?: Character | undefined
  /** Default: those of Anthropic, 0.1 for reading and 1.25 for writing, and a cache that lives 300 seconds. */
  prices?: CachePrices | undefined
  /**
   * The model, such as `claude-opus-5-5`, whose prices and window are used if they are not given. Its name also
   * determines `binding`.
   */
  model?: string | undefined
  /** The size of the model's context window, in tokens. Default: that of `model`, or 200,000. */
  window?: number | undefined
  /** Whether stubs contain a reference with which `recall` returns the original. Default true. */
  recall?: boolean | undefined
}

/** Rewrite costs, in reads, of prices of 1.25 for writes and 0.1, 0.05 and 0.025 for reads. */
const REWRITE_COSTS = [11.5, 24, 49] as const

/**
 * Cost of missing a result, as a number of requests that carry it, at each of the {@link REWRITE_COSTS}. At
 * every price a more careful character has the higher one; docs/measurements.md has what each costs and keeps.
 *
 * A result to clear waits for a rewrite that pays; the more expensive a rewrite, the longer it waits, and
 * meanwhile it is carried for longer than it is worth. Lower numbers make up for that.
 */
const CHARACTERS = {
  thrifty: [124, 112, 75],
  balanced: [172, 172, 153],
  careful: [225, 202, 190],
} as const

/** Returns the cost of missing a result; between two rewrite costs it is interpolated. */
function missingAt(character: Character, rewriteCost: number): number {
  const [usual, double, fourfold] = CHARACTERS[character]
  const [low, middle, high] = REWRITE_COSTS
  const share = (from: number, to: number) => Math.min(Math.max((rewriteCost - from) / (to - from), 0), 1)
  return Math.round(usual + (double - usual) * share(low, middle) + (fourfold - double) * share(middle, high))
}

const DEFAULT_PRICES = { cacheRead: 0.1, cacheWrite: 1.25, cacheSeconds: 300 } as const

const SETTINGS = {
  character: oneOf(Object.keys(CHARACTERS)),
  prices: dataKind('an object such as PRICES.anthropic', OBJECT.is),
  model: NAMED,
  window: called(countFrom(1), 'a whole number of tokens over 0'),
  recall: SWITCH,
}

/** Rewrite cost if reading is free: no rewrite ever pays. JSON has no infinity. */
const NEVER_PAYS = 1_000_000

/**
 * The policy that costs least. It clears a result when carrying it costs more than missing it and the saving pays for
 * the rewrite of the prompt cache; ephemeral content is removed after its turn. From nine tenths of the window on, it
 * clears the oldest results. Use it in a `Context` or with `state`, because it depends on earlier decisions. Pass the
 * length of a pause as `idle`: when the cache is cold, clearing is free.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function cacheAware(settings: CacheAwareSettings = {}): Policy {
  settings = checkOptions(settings, SETTINGS, 'cacheAware')
  const { character = 'balanced', recall = true, model } = settings
  const known = model === undefined ? undefined : pricesOf(model)
  const prices: CachePrices = settings.prices ?? known ?? DEFAULT_PRICES
  const { window = known?.window ?? 200_000 } = settings
  const { cacheRead, cacheWrite, cacheSeconds = null } = prices
  check('prices.cacheRead', cacheRead, AMOUNT)
  check('prices.cacheWrite', cacheWrite, AMOUNT)
  if (cacheSeconds !== null) check('prices.cacheSeconds', cacheSeconds, AMOUNT)
  // Above the limit of a tier the whole request costs more, so the view stays below it as it does below the
  // window.
  const room = Math.min(
    window,
    ...(prices.tiers ?? []).map(({ above }) => check('prices.tiers[].above', above, AMOUNT)),
  )
  const cost = Math.max(0, cacheWrite - cacheRead) / cacheRead || 0
  // Prices have few digits, but their quotient may have many: 1.15 / 0.1 is 11.499999999999998.
  const rewriteCost = Math.min(NEVER_PAYS, Number(cost.toPrecision(6)))
  const binding = model === undefined ? undefined : bindingOf(model)
  return {
    ephemeral: true,
    retire: {
      missing: missingAt(character, rewriteCost),
      rewriteCost,
      cacheSeconds: cacheSeconds === null ? null : Math.floor(cacheSeconds),
    },
    budget: { maxTokens: Math.floor(room * 0.9) },
    recall,
    window,
    ...(binding === undefined ? {} : { binding }),
  }
}
