import { readMessages } from 'trimtab'

/** Returns the tokens of a text, as the engine estimates those of a message. */
export function tokensOf(text: string): number {
  const { messages } = readMessages([{ role: 'user', content: text }], { format: 'openai-chat' })
  return text === '' ? 0 : (messages[0]?.blocks[0]?.tokens ?? 0)
}
