import { type MessageFacts, type NeutralHistory, readMessages } from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import type { ReadSession } from '../agent/recorded-requests.js'
import { isSummaryText } from '../agent/segments.js'
import type { Told } from './protocol.js'

/** Share of the progress after each stage: bytes read, lines parsed, facts computed. The rest is the transfer. */
const STAGES = { bytes: 0.3, lines: 0.6, facts: 0.7 } as const

/** Messages per transfer: each portion is copied, and the page must not block meanwhile. */
const PORTION = 50

/** Reads a session file, and transfers its messages with their facts. */
export async function open(file: Blob, name: string, tell: (told: Told) => void): Promise<ReadSession> {
  const progress = (done: number) => tell({ kind: 'progress', done })
  const text = await textOf(file, (part) => progress(part * STAGES.bytes))
  const { messages, ...about } = readTranscript(text, {
    name,
    onProgress: (at, of) => progress(STAGES.bytes + (at / of) * (STAGES.lines - STAGES.bytes)),
  })
  progress(STAGES.lines)
  const { format } = about
  const history = readMessages(messages, { format })
  const facts = history.messages
  handOver(messages, facts, tell, (part) => progress(STAGES.facts + part * (1 - STAGES.facts)))
  tell({ kind: 'opened', about, summaries: summariesIn(history) })
  return { messages, facts, format, ...(about.times === undefined ? {} : { times: about.times }) }
}

/** Returns the indices of messages that contain a summary of the messages before them. */
const summariesIn = (history: NeutralHistory): number[] =>
  history
    .blocks()
    .filter((block) => block.kind === 'text' && block.role === 'user' && isSummaryText(history.textOf(block)))
    .map(({ message }) => message)

/** Transfers messages with their facts to the page. */
export function handOver(
  messages: readonly object[],
  facts: readonly MessageFacts[],
  tell: (told: Told) => void,
  onPart: (part: number) => void = () => {},
): void {
  for (let at = 0; at < messages.length; at += PORTION) {
    const part = messages.slice(at, at + PORTION)
    tell({ kind: 'read', messages: part, facts: facts.slice(at, at + PORTION) })
    onPart((at + part.length) / messages.length)
  }
}

async function textOf(file: Blob, onPart: (part: number) => void): Promise<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  const parts: string[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts.join('')
    parts.push(value)
    // There are never more characters than bytes.
    length += value.length
    onPart(length / file.size)
  }
}
