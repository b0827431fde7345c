/** A line of a session file whose lines are linked as a tree (a rewind starts a new branch in the same file). */
export interface Linked {
  id: string | undefined
  /** `null` for a root; `undefined` if the line has no such field. */
  parent: string | null | undefined
  /** Whether a conversation starts here: always; only if its parent is `null` in a file with links; or never. */
  root: 'always' | 'without-parent' | 'never'
}

/**
 * Returns the indices of the lines on the branch that ends with `leaf`, from its root. If a link is missing or
 * dangling, the line before it in the file is used, so that no lines of a damaged file are lost; in a file without any
 * valid link, all lines up to the leaf are returned.
 */
export function activeBranch(nodes: readonly Linked[], leaf: number): number[] {
  const byId = new Map<string, number>()
  nodes.forEach((node, index) => {
    if (node.id !== undefined && !byId.has(node.id)) byId.set(node.id, index)
  })
  const linked = nodes.some((node) => typeof node.parent === 'string' && byId.has(node.parent))
  const free = new FreeBelow(nodes.length)
  const path: number[] = []
  let current = leaf
  while (current >= 0) {
    path.push(current)
    free.take(current)
    const node = nodes[current]
    if (node === undefined || node.root === 'always') break
    if (linked && node.parent === null && node.root === 'without-parent') break
    const parent = typeof node.parent === 'string' ? byId.get(node.parent) : undefined
    current = parent !== undefined && free.has(parent) ? parent : free.atOrBelow(current)
  }
  return path.reverse()
}

/** Set of untaken indices. Finds the next one below in amortised constant time, even if links form a loop. */
class FreeBelow {
  /** Offset by one, so that 0 means "none left". A taken index points further down, a free one to itself. */
  readonly #next: Uint32Array

  constructor(length: number) {
    this.#next = Uint32Array.from({ length: length + 1 }, (_, index) => index)
  }

  take(index: number): void {
    this.#next[index + 1] = index
  }

  has(index: number): boolean {
    return this.#next[index + 1] === index + 1
  }

  /** Returns the next free index at or below `index`; -1 if all are taken. */
  atOrBelow(index: number): number {
    let slot = index + 1
    for (;;) {
      const next = this.#next[slot] ?? 0
      if (next === slot) return slot - 1
      const further = this.#next[next] ?? 0
      this.#next[slot] = further
      slot = further
    }
  }
}
