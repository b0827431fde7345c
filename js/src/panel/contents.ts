import type { BlockFacts, EditReport } from '../generated/types.js'
import { LazyReport } from '../projection/report.js'
import type { Report } from '../projection/types.js'
import { blocksBehind, textBehind } from '../projection/view-texts.js'

/** Kinds of blocks, by which they are coloured, and their labels. */
export const KINDS = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  reasoning: 'Reasoning',
  call: 'Tool calls',
  result: 'Results',
  other: 'Files and other',
} as const

type Kind = keyof typeof KINDS

/** A block of the history, as the last request sent it. Tokens are estimates. */
export interface PanelBlock {
  /** Stays the same while the conversation grows. */
  readonly key: string
  readonly kind: Kind
  readonly name: string
  readonly full: number
  readonly sent: number
  readonly edit: EditReport | null
  /** Returns the original; `undefined` if the report does not hold it. */
  readonly original: (() => string) | undefined
}

/** Content of a panel, computed from a report. */
export interface PanelContents {
  readonly full: number
  readonly sent: number
  /** Tokens of the request expected in the prompt cache; `null` if unknown. */
  readonly cached: number | null
  /** Tokens by kind, without kinds that have none; `null` if the report does not hold the blocks. */
  readonly kinds: readonly { readonly kind: Kind; readonly full: number; readonly sent: number }[] | null
  /** Largest first. */
  readonly blocks: readonly PanelBlock[]
}

export function contentsOf(report: Report): PanelContents {
  const { tokensBefore: full, tokensAfter: sent, cache } = report
  const cached = cache === null ? null : Math.min(sent, cache.read)
  // If two passes edit a block, the last edit counts.
  const edits = new Map(report.edits.map((edit) => [keyOf(edit), edit]))
  const view = LazyReport.viewOf(report)
  const facts = view === undefined ? null : blocksBehind(view)
  const blocks =
    facts === null
      ? [...edits.values()].map(editedBlock)
      : facts
          .filter(({ tokens }) => tokens > 0)
          .map((block) =>
            describedBlock(block, edits.get(keyOf(block)) ?? null, () =>
              view === undefined ? '' : textBehind(view, block),
            ),
          )
  blocks.sort((one, other) => other.full - one.full)
  return { full, sent, cached, kinds: facts === null ? null : kindsOf(blocks), blocks }
}

const keyOf = ({ message, block }: { message: number; block: number }): string => `${message}.${block}`

function describedBlock(block: BlockFacts, edit: EditReport | null, original: () => string): PanelBlock {
  const { tokens: full } = block
  const kind = kindOf(block)
  const place = block.path ?? block.command ?? block.intent
  const name = [block.tool ?? KINDS[kind], place].filter(Boolean).join(' ')
  return { key: keyOf(block), kind, name, full, sent: edit?.tokensAfter ?? full, edit, original }
}

function editedBlock(edit: EditReport): PanelBlock {
  const { tokensBefore: full, tokensAfter: sent } = edit
  return {
    key: keyOf(edit),
    kind: 'result',
    name: edit.tool ?? 'block',
    full,
    sent,
    edit,
    original: undefined,
  }
}

function kindOf({ kind, role }: BlockFacts): Kind {
  switch (kind) {
    case 'text':
      return role === 'tool' ? 'result' : role
    case 'reasoning':
      return 'reasoning'
    case 'tool-call':
      return 'call'
    case 'tool-result':
      return 'result'
    default:
      return 'other'
  }
}

function kindsOf(blocks: readonly PanelBlock[]): NonNullable<PanelContents['kinds']> {
  const sums = (Object.keys(KINDS) as Kind[]).map((kind) => ({ kind, full: 0, sent: 0 }))
  for (const { kind, full, sent } of blocks) {
    const sum = sums.find((one) => one.kind === kind)
    if (sum === undefined) continue
    sum.full += full
    sum.sent += sent
  }
  return sums.filter(({ full }) => full > 0)
}
