/** How many entries two lists have in common from their beginnings on. */
export function sameBeginning(one: readonly object[], other: readonly object[]): number {
  let same = 0
  while (same < one.length && same < other.length && one[same] === other[same]) same++
  return same
}
