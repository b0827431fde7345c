import { FORMATS, type Format } from '../write.js'
import { aiSdk } from './ai-sdk.js'
import { aiSdkUi } from './ai-sdk-ui.js'
import { anthropic } from './anthropic.js'
import { gemini } from './gemini.js'
import { langchain } from './langchain.js'
import { openaiChat } from './openai-chat.js'
import { openaiResponses } from './openai-responses.js'
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
