import { check, checkOptions, NAMED, oneOf, refuseWith } from '../base/check.js'
import { nearest } from '../base/nearest.js'
import { plainId } from './model-id.js'
import { type AssumedPrice, MODELS, type ModelRow } from './model-table.js'
import type { DatedPrices } from './prices.js'

/** Prices of a model, from the table of models. */
export interface ModelPrices extends DatedPrices {
  /** The context window in tokens; `null` if the table does not have it. */
  window: number | null
  /**
   * Whether the figures come from a third party instead of the provider: check them before you rely on them.
   */
  isThirdParty: boolean
  /**
   * Figures that are not known for the model: `output` and `cacheSeconds` are those of its provider's other models,
   * `cacheRead` is the price of `input`.
   */
  assumed: readonly AssumedPrice[]
}

/** Life of a cache entry. Anthropic has a separate price for an hour. */
export type CacheLife = '5m' | '1h'

const LIFE = oneOf<CacheLife>(['5m', '1h'])

/**
 * Returns the prices of a model, by its id as providers and gateways spell it: `claude-opus-5-5`,
 * `anthropic/claude-opus-5.5`, `claude-opus-4-5-20251101`, `gpt-5.4`.
 *
 * @param options `cache`: the life of cache entries. Default `5m`; `1h` is for models of Anthropic.
 * @throws {TrimtabError} `invalid_option` for a model that is not in the table; the message names the nearest
 *   one.
 */
export function pricesOf(model: string, options: { cache?: CacheLife | undefined } = {}): ModelPrices {
  check('model', model, NAMED)
  options = checkOptions(options, { cache: LIFE }, 'pricesOf')
  const { cache = '5m' } = options
  const row = rowOf(model) ?? unknown(model)
  if (cache === '1h' && row.hourWrite === undefined) {
    refuseWith('cache', `cache: no price of a one-hour cache is known for ${model}`)
  }
  const { ids, hourWrite, assumed = [], tiers, ...prices } = row
  return {
    ...prices,
    models: ids.join(', '),
    assumed,
    ...(tiers === undefined ? {} : { tiers }),
    ...(cache === '1h' && hourWrite !== undefined ? { cacheWrite: hourWrite, cacheSeconds: 3600 } : {}),
  }
}

/** The ids and families of the table; a family ends in `*`. */
export const pricedModels: readonly string[] = MODELS.flatMap(({ ids }) => ids)

/** After a family's name: a suffix in words or a date, but no number of another version. */
const SUFFIX = '(-(?!\\d\\d?(-|$)).*)?'

/** Returns the row that names the model, or else that of the longest matching family. */
function rowOf(model: string): ModelRow | undefined {
  const id = plainId(model)
  let found: ModelRow | undefined
  let length = 0
  for (const row of MODELS) {
    for (const name of row.ids) {
      if (name.length <= length || !RegExp(`^${name.replace('*', SUFFIX)}$`).test(id)) continue
      found = row
      length = name.length
    }
  }
  return found
}

function unknown(model: string): never {
  const id = plainId(model)
  // Among equally near names, the one with the longest common prefix (a model's name comes before its version),
  // then the newest.
  const ids = pricedModels.map((name) => name.replace(/\*$/, ''))
  const meant = nearest(
    id,
    ids.sort(
      (one, other) =>
        inCommon(other, id) - inCommon(one, id) || other.localeCompare(one, 'en', { numeric: true }),
    ),
  )
  const advice = meant === undefined ? '' : `; the nearest is \`${meant}\``
  return refuseWith(
    'model',
    `model: there are no prices of \`${model.replace(/\p{Cs}/gu, '?')}\`${advice}. Give them: prices: { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5, cacheSeconds: 300 }`,
  )
}

/** Length of the common prefix of two texts. */
function inCommon(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
