// Parts of histories, and a conversion whose result is checked.

import type { Format } from 'trimtab'
import { type ConvertedMessages, convertMessages } from 'trimtab/formats'
import { expect } from 'vitest'
import { problems } from '../node/oracle.js'

export type Json = Record<string, unknown>

export const png = 'iVBORw0KGgo='
export const image = `data:image/png;base64,${png}`
export const go = { role: 'user', content: 'go' }
export const use = (id: string, name = 'read', input: Json = {}): Json => ({
  type: 'tool_use',
  id,
  name,
  input,
})
export const result = (id: string, content: unknown): Json => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})

export function convert(from: Format, to: Format, messages: object[]): ConvertedMessages {
  const converted = convertMessages(messages, to, { format: from })
  expect(problems(converted.messages, to)).toEqual([])
  return converted
}

export const lostIn = ({ lost }: ConvertedMessages): string[] => lost.map(({ what }) => what)
