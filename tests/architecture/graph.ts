/** Import graph: names, and the names that each of them imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Groups a graph: a group imports another one if any of its members imports a member of that group. */
export function grouped(graph: Graph, groupOf: (name: string) => string): Graph {
  const groups = new Map<string, Set<string>>()
  for (const [name, imported] of graph) {
    const group = groupOf(name)
    const others = groups.get(group) ?? new Set()
    groups.set(group, others)
    for (const other of imported) if (groupOf(other) !== group) others.add(groupOf(other))
  }
  return groups
}

/** Returns the cycles, as chains of names that return to their start: one for each name that first closed one. */
export function circles(graph: Graph): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (name: string): void => {
    const start = path.indexOf(name)
    if (start !== -1) found.push(path.slice(start))
    if (start !== -1 || done.has(name)) return
    path.push(name)
    for (const other of graph.get(name) ?? []) visit(other)
    path.pop()
    done.add(name)
  }
  for (const name of graph.keys()) visit(name)
  return found
}

/** Returns the longest chain of imports, from the importing end. The graph must have no cycle. */
export function longestChain(graph: Graph): string[] {
  const chains = new Map<string, string[]>()
  const chainFrom = (name: string): string[] => {
    const known = chains.get(name)
    if (known !== undefined) return known
    const below = [...(graph.get(name) ?? [])].map(chainFrom)
    const chain = [name, ...below.reduce((a, b) => (b.length > a.length ? b : a), [])]
    chains.set(name, chain)
    return chain
  }
  return [...graph.keys()].map(chainFrom).reduce((a, b) => (b.length > a.length ? b : a), [])
}
