// An answer of the Messages API as the events of its stream.
import type { Block } from '../node/binding.js'

export interface Answer {
  id: string
  type: string
  role: string
  model: string
  content: Block[]
  stop_reason: string
  usage: { input_tokens: number; output_tokens: number }
}

export function eventsOf({ content, stop_reason, usage, ...message }: Answer): string {
  const { output_tokens } = usage
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: begun(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** A block as it is when its stream begins; redacted thinking comes at once. */
function begun(block: Block): Block {
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  if (block.type === 'text') return { ...block, text: '' }
  return block.type === 'tool_use' ? { ...block, input: {} } : block
}

function deltasOf({ type, thinking, signature, text, input }: Block): object[] {
  if (type === 'text') return pieces(text).map((piece) => ({ type: 'text_delta', text: piece }))
  if (type === 'tool_use')
    return pieces(JSON.stringify(input)).map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
  if (type !== 'thinking') return []
  const thoughts = pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece }))
  return [...thoughts, { type: 'signature_delta', signature }]
}

const pieces = (text: unknown): string[] => String(text).match(/.{1,40}/gs) ?? []
