import type { Format, ToolDefinition } from 'trimtab'

/** A request to a model: the view of the history, in the model's format. */
export interface ModelRequest {
  readonly messages: readonly object[]
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  readonly signal: AbortSignal
}

/**
 * An event of a streamed answer. `answer` is the last event: the messages for the history, as the provider made them.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Appends to the name and arguments of the call with this index. */
  | { readonly type: 'call'; readonly index: number; readonly name: string; readonly arguments: string }
  | {
      readonly type: 'answer'
      readonly messages: readonly object[]
      /** Whether it reached its token limit. */
      readonly isCut?: boolean
    }

/** A provider or a script. `answer` throws a {@link ModelError} if it fails. */
export interface Model {
  /** The format of its input and output messages. */
  readonly format: Format
  answer(request: ModelRequest): AsyncIterable<ModelEvent>
  /** Returns the tokens of a request besides its messages; absent if the model gets nothing else. */
  overhead?(request: Pick<ModelRequest, 'system' | 'tools'>): number
}

/** The reason for a missing answer, as text for the user. */
export class ModelError extends Error {
  override readonly name = 'ModelError'

  /** @param wait Seconds that the provider asks to wait before the next request. */
  constructor(
    message: string,
    readonly wait = 0,
  ) {
    super(message)
  }
}
