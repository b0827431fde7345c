import type { Format, ToolDefinition } from 'trimtab'

/** What a model is sent: the view of the history, in the model's own format. */
export interface ModelRequest {
  readonly messages: readonly object[]
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  readonly signal: AbortSignal
}

/** An answer as it comes. `answer` is the last event: the messages that go into the history, as the provider made them. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** More of the arguments of the call with this index. */
  | { readonly type: 'call'; readonly index: number; readonly name: string; readonly arguments: string }
  | {
      readonly type: 'answer'
      readonly messages: readonly object[]
      /** Whether it ended at a limit of tokens. */
      readonly isCut?: boolean
    }

/** Something that answers: a provider, a script. It throws a {@link ModelError} where there is no answer. */
export interface Model {
  /** The format of the messages that it takes and gives. */
  readonly format: Format
  answer(request: ModelRequest): AsyncIterable<ModelEvent>
}

/** Why there is no answer, in words for the user. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
}
