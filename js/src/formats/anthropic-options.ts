import { asRecord, asString, type JsonRecord } from '../base/json.js'
import { type Reasoning, withOptions } from './neutral.js'

/** The options that the formats with Anthropic's `cache_control` carry. */
export const CACHED = ['anthropic.cacheControl']

/** The mark of a part as options. */
export function cached({ cache_control: control }: JsonRecord): { options?: JsonRecord } {
  return asRecord(control) === undefined ? {} : { options: { anthropic: { cacheControl: control } } }
}

/** The mark of a part from its options. */
export function cacheControl(options: JsonRecord | undefined): JsonRecord {
  const control = asRecord(options?.anthropic)?.cacheControl
  return control === undefined ? {} : { cache_control: control }
}

/** Reads `thinking` and `redacted_thinking`; `text` is the field of the former. */
export function readReasoning({ data, signature, type }: JsonRecord, text: unknown): Reasoning {
  if (type === 'redacted_thinking')
    return { kind: 'reasoning', text: '', options: { anthropic: { redactedData: data } } }
  const options = signature === undefined ? undefined : { anthropic: { signature } }
  return { kind: 'reasoning', text: asString(text) ?? '', ...withOptions(options) }
}

/** Writes Anthropic's own reasoning: it accepts only what has its signature. */
export function writeReasoning({ options, text }: Reasoning): ({ type: string } & JsonRecord) | undefined {
  const { redactedData, signature } = asRecord(options?.anthropic) ?? {}
  if (redactedData !== undefined) return { type: 'redacted_thinking', data: redactedData }
  const isSigned = typeof signature === 'string' && signature !== ''
  return isSigned ? { type: 'thinking', thinking: text, signature } : undefined
}
