/**
 * Messages that stand for a part of a conversation. They are known as objects, since few formats have a place for a mark,
 * and no text is trusted to be one; a saved session says which they were.
 */
const summaries = new WeakSet<object>()

export function markSummary(message: object): void {
  summaries.add(message)
}

export const isMarkedSummary = (message: object): boolean => summaries.has(message)
