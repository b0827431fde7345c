/** Builds Chat Completions histories, one call at a time. */
export class History {
  readonly messages: Record<string, unknown>[] = []
  #calls = 0

  user(content = 'go on'): this {
    this.messages.push({ role: 'user', content })
    return this
  }

  answer(content: string): this {
    this.messages.push({ role: 'assistant', content })
    return this
  }

  /** Adds a call with its result; without `content` the call has no result. */
  use(name: string, args: object, content?: string, more: object = {}): this {
    const id = `c${++this.#calls}`
    const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
    this.messages.push({ role: 'assistant', content: '', tool_calls: [call] })
    if (content !== undefined) this.messages.push({ role: 'tool', tool_call_id: id, content, ...more })
    return this
  }
}
