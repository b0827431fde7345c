import type { JsonRecord } from '../base/json.js'
import { isClaudeCodeMessage, readClaudeCode } from './claude-code.js'
import { isCodexLine, readCodex } from './codex.js'
import { isPiMessage, readPi } from './pi.js'
import type { SkipLog } from './skip-log.js'
import type { RecordAt, Transcript, TranscriptKind } from './types.js'

/** Reader for one agent's session files: JSON objects, one per line or in one list. */
interface AgentFile {
  /** Whether a single record shows that the file is of this agent. */
  recognises: (record: JsonRecord) => boolean
  /** Reads all records. A record that is not a message is counted in `skipped`. */
  read: (
    records: readonly RecordAt[],
    skipped: SkipLog,
    history: 'live' | 'full',
  ) => Omit<Transcript, 'skipped'>
}

/** Agents whose session files are lists of records, one per line. The first that recognises a record is used. */
export const AGENT_FILES = {
  codex: { recognises: isCodexLine, read: readCodex },
  'claude-code': { recognises: isClaudeCodeMessage, read: readClaudeCode },
  pi: { recognises: isPiMessage, read: readPi },
} as const satisfies Partial<Record<TranscriptKind, AgentFile>>

export type AgentKind = keyof typeof AGENT_FILES

export const AGENT_KINDS = Object.keys(AGENT_FILES) as AgentKind[]
