import type { BlockFacts } from '../generated/types.js'
import { blockText, type OtherTexts, withTexts } from '../history/lookups.js'
import type { PlannedView } from './report.js'

/** The facts of all blocks of a view's history. */
export function blocksBehind(view: PlannedView): readonly BlockFacts[] {
  return view.facts().blocks(view.messages())
}

/** The text of a block of a view's history. */
export function textBehind(
  view: PlannedView,
  { message, block }: Pick<BlockFacts, 'message' | 'block'>,
): string {
  return blockText(view.facts(), view.messages(), message, block)
}

/** Messages of a view with other texts at some edits. Edits are addressed by their position in the report. */
export function retold<M extends object>(view: PlannedView, changes: readonly OtherTexts<M>[]): M[] {
  return withTexts(view.facts(), view.messages(), view.policy, view.plan, changes)
}
