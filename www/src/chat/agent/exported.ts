import { type WritableKind, type WrittenTranscript, writeTranscript } from 'trimtab/transcripts'
import type { Conversation } from './conversation.js'

/**
 * Returns a chat as a file that `trimtab inspect` and this page can read, and what the file cannot hold.
 *
 * @param messages All messages, including those replaced by summaries.
 */
export function exported(
  { format, messages: own, requests, title }: Conversation,
  messages: readonly object[],
  kind: WritableKind,
): Pick<WrittenTranscript, 'text' | 'extension'> & { lost: string[] } {
  const earlier = messages.length - own.length
  const answered = new Map(requests.map((request) => [earlier + request.messages, request.time]))
  const times = messages.map((_, at) => answered.get(at) ?? null)
  // The title is also the name of the file, and the page shows no times.
  const { text, extension, lost } = writeTranscript(messages, { kind, format, title, times })
  return { text, extension, lost: [...new Set(lost.map(({ what }) => what))] }
}
