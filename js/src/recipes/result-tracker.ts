import { checkMessages, checkText, readable } from '../base/check.js'
import { historyFor } from '../history/histories.js'
import { History } from '../history/history.js'
import { prepare } from '../policy/prepared-policy.js'
import { readToolCall, type ToolCallFacts } from './tool-call.js'

interface CallMessage {
  role: 'assistant'
  content: null
  tool_calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

interface ResultMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/**
 * Knows which tool results the model sees in full, to say of a new one that it repeats one of them. It is a history of
 * its own, of calls and results alone, on which the dedupe pass decides: by SHA-256, with no write to the file between.
 * It holds the texts that the host's messages hold as well.
 */
export class ResultTracker {
  readonly #log: (CallMessage | ResultMessage)[] = []
  readonly #history = new History('openai-chat')

  /**
   * Tells what the model sees: to be called with each view that is sent, right after it was made. A result that does not
   * stand in it in full is not pointed to any more. Without this, everything that was processed counts as seen.
   *
   * @param view The messages sent, in any supported format.
   * @throws {TrimtabError} As `project`.
   */
  follow(view: readonly object[]): void {
    checkMessages(view)
    const shown = new Map<string, number>()
    for (const block of historyFor(view).blocks(view)) {
      if (block.kind === 'tool-result' && block.callId !== null) shown.set(block.callId, block.utf16)
    }
    this.#log.forEach((message, i) => {
      if (message.role !== 'tool' || message.content === '') return
      // A stub is at most half as long as what it stands for.
      if (shown.get(message.tool_call_id) !== message.content.length)
        this.#log[i] = { ...message, content: '' }
    })
  }

  /**
   * What the model is to be shown: the text, or a pointer to an earlier result that it repeats.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  track(toolCall: ToolCallFacts, text: string): string {
    const { id, name, arguments: args } = readable('toolCall', () => readToolCall(toolCall))
    checkText('text', text)
    const call = { id, type: 'function' as const, function: { name, arguments: args } }
    const result: ResultMessage = { role: 'tool', tool_call_id: id, content: text }
    this.#log.push({ role: 'assistant', content: null, tool_calls: [call] }, result)
    const view = this.#history.view(this.#log, prepare({ dedupe: true }), -1).messages
    const { content } = view.at(-1) as ResultMessage
    // Later ones must not be pointed to a pointer.
    if (content !== text) this.#log[this.#log.length - 1] = { ...result, content }
    return content
  }

  /**
   * Notes a call whose result is not to be pointed to: it may have written to a file.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  skip(call: ToolCallFacts): void {
    this.track(call, '')
  }
}

/** A tracker for one conversation, for `processToolResult`. */
export function createResultTracker(): ResultTracker {
  return new ResultTracker()
}
