import { asRecord } from '../base/json.js'
import type { Piece } from '../formats/arrange.js'
import { timeOf } from '../history/message-times.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'
import { type Reported, reportFields, requestIn } from './own-report.js'
import type { RecordAt } from './types.js'

/**
 * Returns the time and the provider's report of each answer, by its position in `messages`. The line of an answer is
 * found by its piece, which is the message itself or its content.
 */
export function reportedIn(
  messages: readonly object[],
  pieces: readonly Piece<object, unknown, unknown>[],
  records: readonly RecordAt[],
  usageOf: (record: RecordAt, index: number) => ReportedUsage | undefined,
): Reported {
  const lines = new Map(records.map(({ at }, index) => [at, index]))
  const recordOf = new Map<unknown, number | undefined>()
  for (const piece of pieces) if (piece.kind === 'assistant') recordOf.set(piece.value, lines.get(piece.at))
  const indexes = messages.map((message) => recordOf.get(message) ?? recordOf.get(asRecord(message)?.content))
  const recordAt = (index: number | undefined) => (index === undefined ? undefined : records[index]?.value)
  // The start of 1970 stands for no time (`writeTranscript`).
  const times = indexes.map((index) => timeOf(recordAt(index)) || null)
  const usage = indexes.map((index) => {
    const record = index === undefined ? undefined : records[index]
    return record === undefined ? null : (usageOf(record, index as number) ?? null)
  })
  const requests = indexes.map((index) => {
    const record = recordAt(index)
    const answer = asRecord(record?.message)
    return record === undefined || answer === undefined ? null : requestIn(record, answer)
  })
  return reportFields(
    times.map((time, index) => ({ time, usage: usage[index] ?? null, request: requests[index] ?? null })),
  )
}
