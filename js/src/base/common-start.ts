/** Deeper than this nobody's messages go; what does is not compared. */
const MOST_DEPTH = 100

/**
 * Whether two values say the same: as JSON would have them, with bytes, dates and addresses beside. A field that is
 * `undefined` is not there. Frameworks hand out copies of the same messages; a conversation is known again by this.
 */
function sameValue(one: unknown, other: unknown, depth = 0): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (depth > MOST_DEPTH || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false
  if (ArrayBuffer.isView(one)) return sameBytes(one, other as ArrayBufferView)
  if (one instanceof URL || one instanceof Date) return one.toJSON() === (other as URL | Date).toJSON()
  return sameFields(one as Fields, other as Fields, depth + 1)
}

type Fields = Readonly<Record<string, unknown>>

function sameFields(one: Fields, other: Fields, depth: number): boolean {
  const keys = presentIn(one)
  if (keys.length !== presentIn(other).length) return false
  return keys.every((key) => sameValue(one[key], other[key], depth))
}

const presentIn = (fields: Fields): string[] => Object.keys(fields).filter((key) => fields[key] !== undefined)

function sameBytes(one: ArrayBufferView, other: ArrayBufferView): boolean {
  if (one.byteLength !== other.byteLength) return false
  const [left, right] = [one, other].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  ) as [Uint8Array, Uint8Array]
  return left.every((byte, index) => byte === right[index])
}

/**
 * A history that has so many of its last messages no more, or otherwise, was edited at its end; one that has more of them not
 * is another one, which began alike.
 */
export const BRANCH_LENGTH = 4

/** How many entries two lists begin with that say the same. */
export function commonStart(one: readonly unknown[], other: readonly unknown[]): number {
  const length = Math.min(one.length, other.length)
  for (let i = 0; i < length; i++) if (!sameValue(one[i], other[i])) return i
  return length
}
