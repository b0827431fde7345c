import type { BlockFacts } from 'trimtab'

/** Categories that determine a block's colour: its kind and, for a tool result, the kind of tool. */
export const CATEGORIES = [
  'system',
  'user',
  'assistant',
  'reasoning',
  'call',
  'read',
  'edit',
  'shell',
  'search',
  'result',
  'other',
] as const

export type Category = (typeof CATEGORIES)[number]

export const CATEGORY_LABELS: Readonly<Record<Category, string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  reasoning: 'Reasoning',
  call: 'Tool calls',
  read: 'File reads',
  edit: 'Edits',
  shell: 'Shell',
  search: 'Searches',
  result: 'Other results',
  other: 'Files and other',
}

type Described = Pick<BlockFacts, 'kind' | 'role' | 'origin'>

export function categoryOf(block: Described): Category {
  switch (block.kind) {
    case 'text':
      return block.role === 'tool' ? 'result' : block.role
    case 'reasoning':
      return 'reasoning'
    case 'tool-call':
      return 'call'
    case 'tool-result':
      return resultCategory(block.origin)
    default:
      return 'other'
  }
}

function resultCategory(origin: BlockFacts['origin']): Category {
  switch (origin) {
    case 'read':
      return 'read'
    case 'edit':
    case 'write':
      return 'edit'
    case 'shell':
      return 'shell'
    case 'search':
    case 'list':
      return 'search'
    default:
      return 'result'
  }
}

/** Returns the short name of a block for its header and tooltip. */
export function blockLabel(block: Described): string {
  switch (block.kind) {
    case 'text':
      return `${block.role} text`
    case 'tool-call':
      return 'tool call'
    case 'tool-result':
      return block.origin === null || block.origin === 'other' ? 'tool result' : `${block.origin} result`
    case 'unknown':
      return 'unknown block'
    default:
      return block.kind
  }
}

type Placed = Pick<BlockFacts, 'path' | 'startLine' | 'endLine' | 'command'>

/**
 * Returns the subject of a block: its file with the lines (`src/app.ts:10–80`, or `src/app.ts:10–` for an
 * open end), or else its command.
 */
export function placeOf(block: Placed): string | null {
  if (block.path === null) {
    return block.command
  }
  if (block.startLine === null) {
    return block.path
  }
  return `${block.path}:${block.startLine}–${block.endLine ?? ''}`
}

/** Like `placeOf`, with a long path shortened to its last two parts. */
export function shortPlaceOf(block: Placed): string | null {
  const place = placeOf(block)
  return place === null || block.path === null
    ? place
    : place.replace(/^.*[/\\](?=[^/\\]+[/\\][^/\\]+$)/, '…/')
}
