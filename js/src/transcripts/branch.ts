/** One line of a session file that links its lines into a tree (a rewind starts a new branch in the same file). */
export interface Linked {
  id: string | undefined
  /** `null` is a root; `undefined` is a line that does not say. */
  parent: string | null | undefined
  /** Whether a conversation starts here: surely, only where it has a `null` parent in a file that does link, or never. */
  root: 'always' | 'without-parent' | 'never'
}

/**
 * The indices of the lines on the branch that ends with `leaf`, from its root on. Where a link is missing or leads
 * nowhere the line before it in the file is taken, so that a damaged file loses nothing; in a file without any working
 * link that gives all lines up to the leaf.
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

/** Which indices are not taken yet, and the next of them downwards, in amortised constant time even for looped links. */
class FreeBelow {
  /** Stored one up, so that 0 is "none left". A taken index points further down, a free one to itself. */
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

  /** -1 when all are taken. */
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
