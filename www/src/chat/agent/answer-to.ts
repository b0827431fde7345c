import { convertMessages } from 'trimtab/formats'
import type { Model } from './model.js'

/** Returns a model's answer to a prompt as text; `null` if it reached its token limit, so that its end is missing. */
export async function answerTo(model: Model, prompt: string, signal: AbortSignal): Promise<string | null> {
  const asked = convertMessages([{ role: 'user', content: prompt }], model.format, { format: 'openai-chat' })
  let text = ''
  for await (const event of model.answer({ messages: asked.messages, system: '', tools: [], signal })) {
    signal.throwIfAborted()
    if (event.type === 'text') text += event.text
    if (event.type === 'answer' && event.isCut === true) return null
  }
  return text
}
