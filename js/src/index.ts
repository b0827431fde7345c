import './engine/core-inlined.js'

export * from './entries/api.js'
export * from './entries/inlined.js'
