import type { JsonRecord } from '../base/json.js'
import { claudeCodeWriter, isClaudeCodeMessage, readClaudeCode } from './claude-code.js'
import { codexWriter, isCodexLine, readCodex } from './codex.js'
import { isPiMessage, piWriter, readPi } from './pi.js'
import type { SkipLog } from './skip-log.js'
import { sweAgentWriter } from './swe-agent.js'
import type { RecordAt, Transcript, TranscriptKind } from './types.js'
import type { AgentWriter } from './writing.js'

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

/** Writers of agents' session files. Apart from the readers, so that bundlers can leave them out. */
export const AGENT_WRITERS = {
  'claude-code': claudeCodeWriter,
  codex: codexWriter,
  pi: piWriter,
  'swe-agent': sweAgentWriter,
} as const satisfies Partial<Record<TranscriptKind, AgentWriter>>
