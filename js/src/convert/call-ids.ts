import type { LostItem } from './types.js'

/** Anthropic wants ids of certain characters, each used once in a conversation; chat does not care. */
export class CallIds {
  readonly changes: LostItem[] = []
  readonly #used = new Set<string>()
  readonly #uses = new Map<string, number>()

  next(id: string, index: number): string {
    const clean = id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call'
    const wire = this.#unused(clean)
    this.#used.add(wire)
    if (wire !== id) this.changes.push({ index, what: 'id of a call (now one that Anthropic takes)' })
    return wire
  }

  #unused(id: string): string {
    if (!this.#used.has(id)) return id
    let uses = this.#uses.get(id) ?? 1
    do uses += 1
    while (this.#used.has(`${id}_${uses}`))
    this.#uses.set(id, uses)
    return `${id}_${uses}`
  }
}
