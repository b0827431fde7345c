export { type CacheLife, type ModelPrices, pricedModels, pricesOf } from '../prices/model-prices.js'
export {
  type DatedPrices,
  PRICES,
  type Prices,
  type PriceTier,
  priceWarning,
} from '../prices/prices.js'
export { type CandidateOptions, tuneCandidates } from './candidates.js'
export { cheapestPolicy } from './cheapest-policy.js'
export { combineSimulations } from './combine.js'
export { type RequestTokens, requestCost } from './cost.js'
export { diagnose } from './diagnosis/diagnose.js'
export { diagnoseSession } from './diagnosis/diagnose-session.js'
export type * from './diagnosis/types.js'
export { evidenceShare } from './kept.js'
export { simulationPicture, tuningPicture } from './picture.js'
export { simulate } from './simulate.js'
export type * from './tune.js'
export { tune } from './tune.js'
export type * from './types.js'
export { keepWarmSeconds } from './warm.js'
