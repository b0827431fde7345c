/** Tokens of a text: an encoding's `count`, `estimateTokens`, or a function of the host's. */
export type TextCounter = (text: string) => number
