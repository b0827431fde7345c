import type { WritableKind } from 'trimtab/transcripts'

/** Kinds of files for exporting a chat, with their display names, as the export menu groups them. */
export const EXPORTS: readonly { title: string; kinds: readonly (readonly [WritableKind, string])[] }[] = [
  {
    title: 'Messages',
    kinds: [
      ['openai-chat-messages', 'OpenAI chat'],
      ['openai-responses-messages', 'OpenAI Responses'],
      ['anthropic-messages', 'Anthropic'],
      ['gemini-messages', 'Gemini'],
      ['ai-sdk-messages', 'AI SDK'],
      ['ai-sdk-ui-messages', 'AI SDK, UI messages'],
      ['langchain-messages', 'LangChain'],
    ],
  },
  {
    title: 'Session of an agent',
    kinds: [
      ['claude-code', 'Claude Code'],
      ['codex', 'Codex'],
      ['pi', 'pi'],
      ['swe-agent', 'SWE-agent'],
      ['saved-session', 'trimtab'],
    ],
  },
]
