import { asString, isRecord, type JsonRecord } from './json.js'

/** Name of the tool of a part of a `UIMessage`; `undefined` for a part that is no call. */
export function toolName(part: JsonRecord): string | undefined {
  if (part.type === 'dynamic-tool') return asString(part.toolName) ?? ''
  const isTool = asString(part.type)?.startsWith('tool-') === true && typeof part.toolCallId === 'string'
  return isTool ? String(part.type).slice('tool-'.length) : undefined
}

export const isStepStart = (part: unknown): boolean => isRecord(part) && part.type === 'step-start'

/**
 * Divides the parts of a `UIMessage` of the model into those of its steps: each begins with its `step-start`, where the
 * engine begins a step too.
 */
export function stepsIn<P>(parts: readonly P[]): P[][] {
  const steps: P[][] = [[]]
  let hasParts = false
  for (const part of parts) {
    const isStart = isStepStart(part)
    if (isStart && hasParts) steps.push([])
    steps.at(-1)?.push(part)
    hasParts = !isStart
  }
  // A `step-start` at the end begins no step yet.
  if (hasParts || steps.length === 1) return steps
  const [last = [], before = []] = [steps.pop(), steps.pop()]
  return [...steps, [...before, ...last]]
}
