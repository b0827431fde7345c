// The engine's bytes come with it: `trimtab/simulate` works without another import.
import '../index.js'

export { type RequestTokens, requestCost } from '../prices/cost.js'
export { type DatedPrices, PRICES, type Prices } from '../prices/prices.js'
export { combineSimulations } from './combine.js'
export { evidenceShare, simulationPicture } from './picture.js'
export { simulate } from './simulate.js'
export type * from './types.js'
