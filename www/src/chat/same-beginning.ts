/** Returns the length of the longest common prefix of two lists, compared by identity. */
export function sameBeginning(one: readonly object[], other: readonly object[]): number {
  let same = 0
  while (same < one.length && same < other.length && one[same] === other[same]) same++
  return same
}
