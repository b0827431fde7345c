import { checkMessages, checkText, readable } from '../base/check.js'
import { pushTo } from '../base/lists.js'
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

/** A call with its result. */
interface Tracked {
  messages: [CallMessage, ResultMessage]
  /** The position among all calls. */
  at: number
  /** The files that it names. */
  paths: string[]
  /** Those of them that it wrote. */
  written: string[]
}

/**
 * Tracks which tool results the model sees in full, to detect that a new result repeats one of them. It keeps
 * its own history of calls and results, on which the dedupe pass decides: equal SHA-256, and no write to the
 * file in between. It holds the same texts as the host's messages.
 */
export class ResultTracker {
  /** Results that the model sees in full, by text, from oldest to newest. */
  readonly #shown = new Map<string, Tracked[]>()
  /** The last successful write to each file. */
  readonly #writes = new Map<string, Tracked>()
  readonly #history = new History('openai-chat')
  #count = 0

  /**
   * Updates what the model sees. Call it with each view that is sent, right after it was made: later results
   * are not replaced with pointers to a result that the view does not show in full. Without this call, every
   * processed result counts as seen.
   *
   * @param view The messages sent, in any supported format.
   * @throws {TrimtabError} As `project`.
   */
  follow(view: readonly object[]): void {
    view = checkMessages(view)
    const lengths = new Map<string, number>()
    for (const block of historyFor(view).blocks(view)) {
      if (block.kind === 'tool-result' && block.callId !== null) lengths.set(block.callId, block.utf16)
    }
    for (const [text, alike] of this.#shown) {
      // A stub is at most half as long as the content it replaces, so the length tells them apart.
      const left = alike.filter(
        ({ messages: [, { tool_call_id }] }) => lengths.get(tool_call_id) === text.length,
      )
      if (left.length > 0) this.#shown.set(text, left)
      else this.#shown.delete(text)
    }
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
    const messages: Tracked['messages'] = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: text },
    ]
    const one = { messages, at: this.#count++, ...this.#filesOf(messages) }
    const content = this.#shownAs(one)
    for (const path of one.written) this.#writes.set(path, one)
    // The engine keeps the names of a history, and goes through them for each call.
    this.#history.free()
    // No later pointer refers to a pointer.
    if (content === text && text !== '') pushTo(this.#shown, text, one)
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

  /** The files that a call names, and those that it wrote. */
  #filesOf(messages: Tracked['messages']): Pick<Tracked, 'paths' | 'written'> {
    const result = this.#history.blocks(messages).at(-1)
    const paths = result?.files.map(({ path }) => path) ?? []
    const isWrite = result?.origin === 'write' || result?.origin === 'edit'
    return { paths, written: isWrite && !result.isError ? paths : [] }
  }

  /** The text, or a pointer to the newest result with the same text that is still current. */
  #shownAs(one: Tracked): string {
    const [call, result] = one.messages
    const alike = this.#shown.get(result.content) ?? []
    let of = alike.at(-1)
    // It is not current for any later result either.
    while (of !== undefined && this.#writesTo(of.paths, of, one).length > 0) {
      alike.pop()
      of = alike.at(-1)
    }
    if (of === undefined) return result.content
    const between = this.#writesTo(one.paths, of, one).flatMap(({ messages }) => messages)
    const log = [...of.messages, ...between, call, result]
    const view = this.#history.view(log, prepare({ dedupe: true }), -1).messages
    return (view.at(-1) as ResultMessage).content
  }

  /** The last writes to some files, of those between two calls. */
  #writesTo(paths: readonly string[], from: Tracked, to: Tracked): Tracked[] {
    const writes = new Set(paths.map((path) => this.#writes.get(path)))
    return [...writes].filter((write) => write !== undefined).filter(({ at }) => at > from.at && at < to.at)
  }
}

/** Creates a tracker for one conversation, for `processToolResult`. */
export function createResultTracker(): ResultTracker {
  return new ResultTracker()
}
