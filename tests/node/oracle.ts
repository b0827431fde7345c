import type { Format } from 'trimtab'
import { anthropic, type Fields, openai } from './oracle-chat.js'
import { aiSdk, aiSdkUi, langchain } from './oracle-frameworks.js'
import { gemini, responses } from './oracle-providers.js'

/** Validity of histories, written from the providers' rules, not from the engine. */

const ORACLES: Record<Format, (messages: Fields[]) => string[]> = {
  'openai-chat': openai,
  'openai-responses': responses,
  anthropic,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  gemini,
  langchain,
}

/** Reasons why the provider would refuse the messages, as `<position>: <what>`; empty if it accepts them. */
export function problems(messages: readonly object[], format: Format): string[] {
  return ORACLES[format](messages as unknown as Fields[])
}
