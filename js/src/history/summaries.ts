/**
 * Messages that summarise a part of a conversation. They are recognised as objects: few formats have a place
 * for a mark, and a text proves nothing. A saved session records which messages are summaries.
 */
const summaries = new WeakSet<object>()

export function markSummary(message: object): void {
  summaries.add(message)
}

export const isMarkedSummary = (message: object): boolean => summaries.has(message)
