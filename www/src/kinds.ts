import type { BlockFacts } from 'trimtab'

/** What a block is coloured by: its kind, and for a tool result what it is the result of. */
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

/** A short name for one block, as its header and its tooltip say it. */
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
 * What a block is about: its file with the lines (`src/app.ts:10–80`, `src/app.ts:10–` for an open end), or else its
 * command.
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

/** The same, with the end of a long path alone. */
export function shortPlaceOf(block: Placed): string | null {
  const place = placeOf(block)
  return place === null || block.path === null
    ? place
    : place.replace(/^.*[/\\](?=[^/\\]+[/\\][^/\\]+$)/, '…/')
}
