/** Maximum nesting depth; deeper values count as different. Real messages are never that deep. */
const MOST_DEPTH = 100

/**
 * Whether two values are equal: compared as JSON, plus bytes, dates and URLs. A field that is `undefined`
 * counts as absent. Frameworks pass copies of the same messages; this comparison recognises a conversation by
 * them.
 */
function sameValue(one: unknown, other: unknown, depth: number): boolean {
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

/** Whether two views have the same bytes. */
export function sameBytes(one: ArrayBufferView, other: ArrayBufferView): boolean {
  if (one.byteLength !== other.byteLength) return false
  const [left, right] = [one, other].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  ) as [Uint8Array, Uint8Array]
  return left.every((byte, index) => byte === right[index])
}

/**
 * Number of messages. If at most this many messages at the end of a history were removed or changed, the
 * history was edited at its end; if more, it is another history with the same beginning.
 */
export const BRANCH_LENGTH = 4

/** Number of equal entries at the start of two lists. An entry whose fields cannot be read equals no other. */
export function commonStart(one: readonly unknown[], other: readonly unknown[]): number {
  const length = Math.min(one.length, other.length)
  let i = 0
  try {
    while (i < length && sameValue(one[i], other[i], 0)) i++
  } catch {
    // A getter or a proxy of the host threw.
  }
  return i
}

/** Whether two messages are the same in a request. What is no JSON is compared field by field. */
export function isAlike(one: unknown, other: unknown): boolean {
  if (one === other || other === undefined) return one === other
  try {
    return JSON.stringify(one) === JSON.stringify(other)
  } catch {
    return commonStart([one], [other]) === 1
  }
}
