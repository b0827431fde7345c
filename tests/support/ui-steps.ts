/** Returns messages of `ai-sdk-ui` with one for each step; those of other formats as they are. */
export function inSteps<M extends Record<string, unknown>>(messages: readonly M[], format: string): M[] {
  return format === 'ai-sdk-ui' ? messages.flatMap(stepsOf) : messages.slice()
}

function stepsOf<M extends Record<string, unknown>>(message: M): M[] {
  if (message.role !== 'assistant') return [message]
  const steps: object[][] = [[]]
  for (const part of message.parts as { type: string }[]) {
    if (part.type === 'step-start' && steps.at(-1)?.some((one) => one !== steps.at(-1)?.[0])) steps.push([])
    steps.at(-1)?.push(part)
  }
  return steps.map((parts) => ({ ...message, parts }))
}
