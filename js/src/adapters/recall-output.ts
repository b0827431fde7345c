/** What a result was, as the model reads it again: a text, or all parts that it had, images among them. */
export type RecallOutput =
  | { type: 'text'; value: string }
  | {
      type: 'content'
      value: ({ type: 'text'; text: string } | { type: 'file-data'; data: string; mediaType: string })[]
    }

/** What `recall` answers as an output of the AI SDK: what holds more than text stands in its message as one already. */
export const recallOutput = (answer: string | object): RecallOutput =>
  typeof answer === 'string' ? { type: 'text', value: answer } : (answer as RecallOutput)
