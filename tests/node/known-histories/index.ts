import { FORMATS, type Format } from '../write.js'
import * as aiSdk from './ai-sdk.js'
import * as aiSdkUi from './ai-sdk-ui.js'
import * as anthropic from './anthropic.js'
import * as gemini from './gemini.js'
import * as langchain from './langchain.js'
import * as openaiChat from './openai-chat.js'
import * as openaiResponses from './openai-responses.js'
import type { BadRow, GoodRow } from './row.js'

const HISTORIES: Record<Format, { bad: BadRow[]; good: GoodRow[] }> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  gemini,
  langchain,
}

export const knownBad = FORMATS.flatMap((format) =>
  HISTORIES[format].bad.map(([name, messages, rule, index, problem]) => ({
    name,
    format,
    messages,
    rule,
    index,
    oracle: `${index}: ${problem}`,
  })),
)

export const knownGood = FORMATS.flatMap((format) =>
  HISTORIES[format].good.map(([name, messages]) => ({ name, format, messages })),
)
