export { definePanel } from './define.js'
export type { ContextPanel } from './types.js'
