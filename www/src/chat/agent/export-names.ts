import type { Format } from 'trimtab'
import type { WritableKind } from 'trimtab/transcripts'

type Messages = `${Format}-messages`

const MESSAGES: Readonly<Record<Messages, string>> = {
  'openai-chat-messages': 'OpenAI chat',
  'openai-responses-messages': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic',
  'gemini-messages': 'Gemini',
  'ai-sdk-messages': 'AI SDK',
  'ai-sdk-ui-messages': 'AI SDK, UI messages',
  'langchain-messages': 'LangChain',
}

const SESSIONS: Readonly<Record<Exclude<WritableKind, Messages>, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  pi: 'pi',
  'swe-agent': 'SWE-agent',
  'saved-session': 'trimtab',
}

/** Kinds of files for exporting a chat, with their display names, as the export menu groups them. */
export const EXPORTS: readonly { title: string; kinds: Readonly<Record<string, string>> }[] = [
  { title: 'Messages', kinds: MESSAGES },
  { title: 'Session of an agent', kinds: SESSIONS },
]
