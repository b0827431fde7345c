import type { Format } from 'trimtab'

/** The formats that a chat can be taken along in, by their names for people. */
export const EXPORTS: Readonly<Record<Format, string>> = {
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  'ai-sdk': 'AI SDK',
  'ai-sdk-ui': 'AI SDK, UI messages',
  langchain: 'LangChain',
}
