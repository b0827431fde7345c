import type { FileReader } from '../reading/file-reader.js'
import { READ_FILE_DESCRIPTION } from './descriptions.js'

/** Addition to the document's description. */
const FOLDED_SECTIONS =
  '"..." stands for folded lines. To see a folded section, pass its name or one of its line numbers as expand.'

interface ToolFacts {
  reader: FileReader | undefined
  /** Whether the tool itself has an index. */
  hasIndex: boolean
  /** Whether the tool `read_lines` is there too. */
  hasReadLines: boolean
}

/**
 * The description of `read_file`. With a reader the sentences of `UNIFIED_READ_FILE_DESCRIPTION`, each as far as it is
 * true of the reader: a model plans by what it is told.
 */
export function readFileDescription({ reader, hasIndex, hasReadLines }: ToolFacts): string {
  if (reader === undefined) return READ_FILE_DESCRIPTION
  return [
    'Reads a file with smart context optimization.',
    ...smallFiles(reader),
    ...largerFiles(reader),
    ...(hasIndex || reader.facts?.hasIndex === true
      ? ['All files are fully indexed in GraphRAG for later queries.']
      : []),
    'Use this as your primary file reading tool.',
    `For surgical access to specific line ranges, ${hasReadLines ? 'use read_lines instead' : 'pass offset and limit'}.`,
    FOLDED_SECTIONS,
  ].join(' ')
}

function smallFiles({ facts }: FileReader): string[] {
  if (facts?.small === 0) return []
  const size = facts === undefined ? '' : ` (≤${facts.small} lines)`
  return [`Small files${size} show full content instantly.`]
}

function largerFiles({ facts }: FileReader): string[] {
  if (facts === undefined) return ['Larger files show only relevant sections.']
  const { hasCurator, hasConversation, large } = facts
  if (!hasCurator && !hasConversation)
    return ['Larger files show their structure: imports, types, signatures.']
  const filter = hasCurator
    ? 'Larger files use an intelligent agent that filters content based on conversation context to show only relevant sections.'
    : 'Larger files show only relevant sections, filtered based on conversation context.'
  return [filter, ...(large === undefined ? [] : [`Files of more than ${large} lines show their structure.`])]
}
