import { enter, sentences as made } from '../engine/core.js'

/** Sentences of reports (`src/wasm/sentences.json`). */
export interface Sentences {
  /** Why edits wait for the next prompt. */
  waiting: string
  /** The notice of a projection that does not know the earlier requests. */
  noState: string
  /** Why results inside texts are kept. */
  inText: string
  /** Why a result is kept that the AI SDK sends as its provider's own block. */
  ownBlock: string
  /** Why content of another type is kept. */
  unknown: string
  /** Why content is kept, by the type of a block or an item, or by `.` and the field that contains it. */
  fixed: Record<string, string>
}

export const sentences = (): Sentences => enter(() => made() as Sentences)
