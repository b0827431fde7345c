/** Objects made by projections. A stub is recognised by them, never by its text. */
const made = new WeakSet<object>()

/** Records that this object replaces one of the host's, with a stub as its content. */
export function markStub(holder: object): void {
  made.add(holder)
}

/** Whether a projection of this process made the object. */
export function isStub(value: unknown): boolean {
  return typeof value === 'object' && value !== null && made.has(value)
}
