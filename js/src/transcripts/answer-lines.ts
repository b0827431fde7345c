import { asRecord, type JsonRecord } from '../base/json.js'
import { arrange, type Piece } from '../formats/arrange.js'
import { toAnthropicMessages } from '../formats/provider-messages.js'
import { type ReportedUsage, readUsage } from '../tokens/reported-usage.js'
import { folderOf } from './own-report.js'
import { reportedIn } from './reported.js'
import type { SkipLog } from './skip-log.js'
import type { RecordAt, Transcript, TranscriptKind } from './types.js'

/** Piece of a session file that has answers on separate lines, with Anthropic's blocks. */
export type AnswerPiece = Piece<JsonRecord[], JsonRecord, string | JsonRecord[]>

/** What is known beside the pieces. */
interface Beside {
  title: string | undefined
  cwd: unknown
  /** Usage of answers by line, if it is not simply that of the line. */
  usage?: ReadonlyMap<number, ReportedUsage>
}

/** Builds a session from the pieces of its lines, with what each line reports about its answer. */
export function transcriptOf(
  kind: TranscriptKind,
  pieces: readonly AnswerPiece[],
  records: readonly RecordAt[],
  skipped: SkipLog,
  { title, cwd, usage }: Beside,
): Omit<Transcript, 'skipped'> {
  const arranged = arrange(pieces, (at) => skipped.add('second result of the same call', at))
  const messages = toAnthropicMessages(arranged)
  const reported = reportedIn(messages, pieces, records, ({ at, value }) =>
    usage === undefined ? readUsage(asRecord(value.message)?.usage) : usage.get(at),
  )
  return {
    kind,
    format: 'anthropic',
    messages,
    ...reported,
    ...(title !== undefined && { title }),
    ...folderOf(cwd),
  }
}
