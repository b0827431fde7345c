import type { Format } from 'trimtab'

/** Formats for exporting a chat, with their display names. */
export const EXPORTS: Readonly<Record<Format, string>> = {
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  'ai-sdk': 'AI SDK',
  'ai-sdk-ui': 'AI SDK, UI messages',
  langchain: 'LangChain',
}
