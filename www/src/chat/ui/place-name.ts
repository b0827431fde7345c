import { shortPlaceOf } from '../../kinds.js'
import type { History } from '../agent/history.js'
import { shortened } from '../content/portion.js'

/** Returns a short description of a block: its tool and its file or command. */
export function placeName(
  { message, block }: { readonly message: number; readonly block: number },
  history: History,
): string {
  const facts = history.messages[message]?.blocks.find((one) => one.block === block)
  if (facts === undefined) return `message ${message}`
  return shortened([facts.tool ?? facts.kind, shortPlaceOf(facts)].filter((part) => part !== null).join(' '))
}
