/** The original of a result, for the model: a text, or all its parts, including images. */
export type RecallOutput =
  | { type: 'text'; value: string }
  | {
      type: 'content'
      value: ({ type: 'text'; text: string } | { type: 'file-data'; data: string; mediaType: string })[]
    }

/**
 * Converts the answer of `recall` to an output of the AI SDK. An answer with more than text is already in
 * that form.
 */
export const recallOutput = (answer: string | object): RecallOutput =>
  typeof answer === 'string' ? { type: 'text', value: answer } : (answer as RecallOutput)
