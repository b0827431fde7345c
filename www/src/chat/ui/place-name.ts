import type { NeutralHistory } from 'trimtab'
import { shortPlaceOf } from '../../kinds.js'

/** A block in a few words: its tool and its file or command. */
export function placeName(
  { message, block }: { readonly message: number; readonly block: number },
  history: NeutralHistory,
): string {
  const facts = history.messages[message]?.blocks.find((one) => one.block === block)
  if (facts === undefined) return `message ${message}`
  return [facts.tool ?? facts.kind, shortPlaceOf(facts)].filter((part) => part !== null).join(' ')
}
