/**
 * Returns the largest number that fits, from `known` on, of which that is known, and below `tooMany`, which is known not
 * to fit. A number that fits is taken to mean that all smaller ones do.
 */
export function largest(known: number, tooMany: number, fits: (number: number) => boolean): number {
  while (tooMany - known > 1) {
    const middle = (known + tooMany) >> 1
    if (fits(middle)) known = middle
    else tooMany = middle
  }
  return known
}
