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
 * Tracks which tool results the model sees in full, to detect that a new result repeats one of them. It keeps
 * its own history of calls and results, on which the dedupe pass decides: equal SHA-256, and no write to the
 * file in between. It holds the same texts as the host's messages.
 */
export class ResultTracker {
  readonly #log: (CallMessage | ResultMessage)[] = []
  readonly #history = new History('openai-chat')

  /**
   * Updates what the model sees. Call it with each view that is sent, right after it was made: later results
   * are not replaced with pointers to a result that the view does not show in full. Without this call, every
   * processed result counts as seen.
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
      // A stub is at most half as long as the content it replaces, so the length tells them apart.
      if (shown.get(message.tool_call_id) !== message.content.length)
        this.#log[i] = { ...message, content: '' }
    })
  }

  /**
   * Returns what to show the model: the text, or a pointer to an earlier result that it repeats.
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
    // Store the pointer, so that no later pointer refers to this result.
    if (content !== text) this.#log[this.#log.length - 1] = { ...result, content }
    return content
  }

  /**
   * Records a call without making its result a target of pointers; the call may have written to a file.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  skip(call: ToolCallFacts): void {
    this.track(call, '')
  }
}

/** Creates a tracker for one conversation, for `processToolResult`. */
export function createResultTracker(): ResultTracker {
  return new ResultTracker()
}
