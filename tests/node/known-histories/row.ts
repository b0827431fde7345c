import type { ValidityRule } from 'trimtab'
import type { Message } from '../write.js'

/** An invalid history: the violated rule, its place, and the oracle's wording of the problem. */
export type BadRow = [name: string, messages: Message[], rule: ValidityRule, index: number, oracle: string]
export type GoodRow = [name: string, messages: Message[]]

export const unanswered = 'unanswered call'
export const orphan = 'result without open call'
export const twice = 'same id twice'
export const noId = 'call without id'
export const noResultId = 'result without id'

export const ask: Message = { role: 'user', content: 'What is in the file?' }
export const more: Message = { role: 'user', content: 'Go on.' }
export const say = (content: unknown): Message => ({ role: 'assistant', content })
export const system: Message = { role: 'system', content: 'Be brief.' }
export const without = (message: object, ...keys: string[]): Message =>
  Object.fromEntries(Object.entries(message).filter(([key]) => !keys.includes(key)))
/** A text part, as most formats with parts have it. */
export const text = (text: unknown) => ({ type: 'text', text })
