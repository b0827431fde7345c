import { type JsonRecord, recordsOf } from '../base/json.js'
import { tokensOfMessages } from '../tokens/block-counter.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import { type ReportedUsage, readUsage } from '../tokens/reported-usage.js'

/**
 * An output of less than this fraction of its estimate is no count of the answer. In recorded sessions, real counts are
 * .78 to 1.6 of the estimate, placeholders at most .41.
 */
const LEAST_OF_ESTIMATE = 0.5

/**
 * Returns the usage of an answer that was streamed to several lines. A line is written when its block ends, with the
 * usage known then: first a placeholder for the output, on the last line its count. If the stream ended otherwise, no
 * line has the count, and the output is 0: not reported.
 *
 * @param messages The answer's messages, by line.
 */
export function streamedUsage(messages: readonly JsonRecord[]): ReportedUsage | undefined {
  const [first, ...others] = messages.flatMap(({ usage }) => readUsage(usage) ?? [])
  if (first === undefined) return undefined
  const usage = others.reduce((most, each) => (each.output >= most.output ? each : most), first)
  return isCounted(messages, usage.output) ? usage : { ...usage, output: 0 }
}

function isCounted(messages: readonly JsonRecord[], output: number): boolean {
  if (messages.some(({ stop_reason }) => typeof stop_reason === 'string')) return true
  const content = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content),
  )
  const [estimated] = tokensOfMessages([{ role: 'assistant', content }], 'anthropic', estimateByBytes)
  return output >= LEAST_OF_ESTIMATE * (estimated?.total ?? 0)
}
